import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { writeAll } from "./files.js"
import { assign, variablesIn, withVariables } from "./env-text.js"
import type { Project } from "./project.js"

/** What an env file of the application sets; nothing if it is not there. */
export function readEnvFile(root: string, file: string): ReadonlyMap<string, string> {
  return variablesIn(textOf(join(root, file)))
}

/** The text of the env file with these variables set; it is not written. */
export function envText({ root, framework }: Project, file: string, values: ReadonlyMap<string, string>): string {
  const expands = framework.id === "next"
  const lines = new Map([...values].map(([name, value]) => [name, assign(name, value, { expands })]))
  return withVariables(textOf(join(root, file)), lines)
}

export function writeEnv(project: Project, file: string, values: ReadonlyMap<string, string>): void {
  writeAll(project.root, [{ path: file, text: envText(project, file, values), replaces: true }])
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : ""
}

/** Whether git would leave the file out; undefined where there is no git. */
export function isIgnored(root: string, file: string): boolean | undefined {
  const { status } = spawnSync("git", ["check-ignore", "-q", file], { cwd: root, stdio: "ignore" })
  return status === 0 ? true : status === 1 ? false : undefined
}

/** A sentence when a secret would be committed with the file. */
export function exposure(root: string, file: string): string | undefined {
  if (isIgnored(root, file) !== false) return undefined
  return `${file} is not in .gitignore: add it before you commit, it holds secrets`
}
