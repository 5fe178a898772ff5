import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { FileToWrite } from "./files.js"
import { majorOf, type Project } from "./project.js"

/** In SvelteKit 3, code can read only the variables that this file declares. */
const names = ["src/env.ts", "src/env.js"]

/** Whether the framework has such a file. */
export function declaresVariables(project: Project): boolean {
  return project.framework.id === "sveltekit" && (majorOf(project, "@sveltejs/kit") ?? 3) >= 3
}

/** The file with the declarations of more variables. Nothing if it has them, or none for sign-in that show how to write them. */
export function withDeclarations(project: Project, variables: readonly string[]): FileToWrite[] {
  const path = declaresVariables(project) ? names.find((name) => existsSync(join(project.root, name))) : undefined
  if (path === undefined) return []
  const before = readFileSync(join(project.root, path), "utf8")
  const text = declaredIn(before, variables)
  return text === before ? [] : [{ path, text, replaces: true }]
}

/** The text with the variables declared like those for sign-in that it has. */
export function declaredIn(text: string, variables: readonly string[]): string {
  const last = [...text.matchAll(/^([ \t]*)AUTH_\w+(: .+,)(\r?\n)/gm)].at(-1)
  const missing = variables.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))
  if (last === undefined || missing.length === 0) return text
  const [line, indent = "", value = "", newline = ""] = last
  const end = last.index + line.length
  return text.slice(0, end) + missing.map((name) => indent + name + value + newline).join("") + text.slice(end)
}
