import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Failure, reasonOf } from "../failure.js"

export interface FileToWrite {
  /** Below the root. */
  readonly path: string
  /** Undefined: the file goes away. */
  readonly text: string | undefined
  /** It may be there already. */
  readonly replaces?: boolean
}

/** Writes all files or, when one of them cannot be written, none. An env file that is new can be read by its owner only. */
export function writeAll(root: string, files: readonly FileToWrite[]): void {
  const taken = files.filter(({ path, replaces }) => replaces !== true && existsSync(join(root, path)))
  if (taken.length > 0) {
    throw new Failure(`Nothing was written, since this is there already: ${taken.map(({ path }) => path).join(", ")}`)
  }
  const undo: (() => void)[] = []
  try {
    for (const file of files) undo.unshift(write(join(root, file.path), file.text))
  } catch (cause) {
    for (const step of undo) step()
    throw new Failure(`Nothing was written (${reasonOf(cause)}): correct that and run this again`, { cause })
  }
}

/** @returns what brings back the former state */
function write(path: string, text: string | undefined): () => void {
  const before = existsSync(path) ? readFileSync(path) : undefined
  const undo = () => (before === undefined ? rmSync(path, { force: true }) : writeFileSync(path, before))
  if (text === undefined) rmSync(path, { force: true })
  else {
    mkdirSync(dirname(path), { recursive: true })
    // For files that are new: the rights of one that was there are its owner's affair.
    writeFileSync(path, text, isSecret(path) ? { mode: 0o600 } : {})
  }
  return undo
}

function isSecret(path: string): boolean {
  return /(?:^|[\\/])\.env(?:\.[\w.-]+)?$/.test(path)
}
