import { existsSync } from "node:fs"
import { join } from "node:path"
import { Failure } from "../failure.js"
import { compilerOptionsOf } from "../project/compiler-options.js"
import { declaresVariables } from "../project/declared-variables.js"
import type { FileToWrite } from "../project/files.js"
import type { Project } from "../project/project.js"
import { examples } from "./generated/examples.js"
import { untyped } from "./untyped.js"

/** The configuration of a new application. The examples have more in it, so that you can try them. */
const configuration = `import type { AuthConfig } from "@latchkey/core"

export const authConfig = {
  security: "strict",
  providers: [],
} satisfies AuthConfig
`

/** Whether an example has the files for the framework. */
export function hasExample(id: string): boolean {
  return examples[id] !== undefined
}

/** The files of the framework's example, in the folders of the application. */
export function exampleFiles(project: Project): FileToWrite[] {
  const { framework, typescript } = project
  if (framework.id === "nestjs" && !typescript)
    throw new Failure(
      "The files for NestJS need TypeScript, whose decorators JavaScript doesn't have. Add a tsconfig.json.",
    )
  return Object.entries(examples[framework.id] ?? {})
    .filter(([path]) => path !== "src/env.ts" || declaresVariables(project))
    .map(([path, text]) => ({
      path: pathIn(project, path),
      text: isConfiguration.test(path) ? configuration : text,
    }))
}

const isConfiguration = /(?:^|\/)auth\.config\.ts$/

/** The file in the language of the application. Undefined if it has only types, which JavaScript doesn't need. */
export function inLanguageOf(project: Project, { path, text = "" }: FileToWrite): FileToWrite | undefined {
  if (project.typescript) return { path, text: runsTypeScript(project) ? text : withEndings(text, "js") }
  if (path.endsWith(".d.ts")) return undefined
  if (!/\.tsx?$/.test(path)) return { path, text }
  const own = isConfiguration.test(path) ? text.replace(/^(?=export const)/m, declaredType) : text
  return { path: withoutTypes(path, project), text: withEndings(untyped(path, own), scriptEnding(project)) }
}

const declaredType = '/** @satisfies {import("@latchkey/core").AuthConfig} */\n'

/** A server may have its files at the root instead of in `src`. Other frameworks name the folder. */
export function pathIn({ root, framework }: Project, path: string): string {
  return framework.runner === "node" && !existsSync(join(root, "src")) ? path.replace(/^src\//, "") : path
}

/** The ending of an import of another file, in a server. */
export function ending(project: Project): string {
  return project.typescript ? (runsTypeScript(project) ? ".ts" : ".js") : `.${scriptEnding(project)}`
}

/** Without `"type": "module"`, a `.js` file can't have imports. */
function scriptEnding({ framework, manifest }: Project): "js" | "mjs" {
  return framework.runner === "node" && manifest.type !== "module" ? "mjs" : "js"
}

/** Whether imports of other files may end with `.ts`, because Node.js runs them without compiling. */
function runsTypeScript({ root, framework, manifest }: Project): boolean {
  if (framework.runner === "bundler") return true
  // A path without `*`: scripts for tests name files that a loader compiles.
  if (Object.values(manifest.scripts ?? {}).some((script) => /\bnode\b[^&|;]* [\w@./-]+\.ts\b/.test(script)))
    return true
  const options = compilerOptionsOf(join(root, "tsconfig.json"))
  return options.allowImportingTsExtensions === true || options.rewriteRelativeImportExtensions === true
}

function withEndings(text: string, ending: "js" | "mjs"): string {
  return text.replaceAll(/(from "\.[^"]*)\.ts"/g, `$1.${ending}"`)
}

function withoutTypes(path: string, project: Project): string {
  return path.endsWith("x") ? path.replace(/\.tsx$/, ".jsx") : path.replace(/\.ts$/, `.${scriptEnding(project)}`)
}
