import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Failure, reasonOf } from "../failure.js"

export interface FileToWrite {
  /** Relative to the root. */
  readonly path: string
  /** Undefined deletes the file. */
  readonly text: string | undefined
  /** Whether the file may exist already. */
  readonly replaces?: boolean
}

/** Whether there is a file at this path. A folder isn't one. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Writes all files, or none if one fails. A new env file is readable by its owner only. */
export function writeAll(root: string, files: readonly FileToWrite[]): void {
  const existing = files.filter(({ path, replaces }) => replaces !== true && existsSync(join(root, path)))
  if (existing.length > 0) {
    throw new Failure(
      `No file was written, because these exist already: ${existing.map(({ path }) => path).join(", ")}`,
    )
  }
  const undo: (() => void)[] = []
  try {
    for (const file of files) undo.unshift(write(join(root, file.path), file.text))
  } catch (cause) {
    for (const step of undo) step()
    throw new Failure(`No file was written (${reasonOf(cause)}). Fix this and run the command again.`, { cause })
  }
}

/** @returns a function that restores the previous state */
function write(path: string, text: string | undefined): () => void {
  const before = existsSync(path) ? readFileSync(path) : undefined
  const undo = () => (before === undefined ? rmSync(path, { force: true }) : writeFileSync(path, before))
  if (text === undefined) rmSync(path, { force: true })
  else {
    mkdirSync(dirname(path), { recursive: true })
    // The mode applies to new files only. Existing files keep theirs.
    writeFileSync(path, text, isSecret(path) ? { mode: 0o600 } : {})
  }
  return undo
}

function isSecret(path: string): boolean {
  return /(?:^|[\\/])\.env(?:\.[\w.-]+)?$/.test(path)
}
