import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isFile, writeAll } from "./files.js"
import { assign, variablesIn, withVariables } from "./env-text.js"
import type { Project } from "./project.js"

/** The variables of an env file. Empty if the file doesn't exist. */
export function readEnvFile(root: string, file: string): ReadonlyMap<string, string> {
  return variablesIn(textOf(join(root, file)))
}

/** The text of the env file with these variables. Doesn't write it. */
export function envText({ root, framework }: Project, file: string, values: ReadonlyMap<string, string>): string {
  const expands = framework.runner === "bundler"
  const lines = new Map([...values].map(([name, value]) => [name, assign(name, value, { expands })]))
  return withVariables(textOf(join(root, file)), lines)
}

export function writeEnv(project: Project, file: string, values: ReadonlyMap<string, string>): void {
  writeAll(project.root, [{ path: file, text: envText(project, file, values), replaces: true }])
}

function textOf(path: string): string {
  return isFile(path) ? readFileSync(path, "utf8") : ""
}

/** Whether git ignores the file. Undefined without a repository. */
export function isIgnored(root: string, file: string): boolean | undefined {
  const { status } = spawnSync("git", ["check-ignore", "-q", file], { cwd: root, stdio: "ignore" })
  return status === 0 ? true : status === 1 ? false : undefined
}

/** A warning if git would commit the file with its secrets. */
export function exposure(root: string, file: string): string | undefined {
  if (isIgnored(root, file) !== false) return undefined
  return `${file} isn't in .gitignore. Add it before you commit, because it contains secrets.`
}
