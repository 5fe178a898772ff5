import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Failure } from "../failure.js"
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

/** The files of the framework's example, in the language and the folders of the application. */
export function exampleFiles(project: Project): FileToWrite[] {
  const { framework, typescript } = project
  if (framework.id === "nestjs" && !typescript)
    throw new Failure(
      "The files for NestJS need TypeScript, whose decorators JavaScript doesn't have. Add a tsconfig.json.",
    )
  // JavaScript has no declarations.
  const paths = Object.entries(examples[framework.id] ?? {}).filter(([path]) => typescript || !path.endsWith(".d.ts"))
  return paths.map(([path, text]) => {
    const own = /(?:^|\/)auth\.config\.ts$/.test(path) ? configuration : text
    const moved = pathIn(project, path)
    if (!typescript && /\.tsx?$/.test(path)) return { path: withoutTypes(moved), text: jsEndings(untyped(path, own)) }
    return { path: moved, text: runsTypeScript(project) ? own : jsEndings(own) }
  })
}

/** A server may have its files at the root instead of in `src`. Other frameworks name the folder. */
export function pathIn({ root, framework }: Project, path: string): string {
  return framework.runner === "node" && !existsSync(join(root, "src")) ? path.replace(/^src\//, "") : path
}

/** Whether imports of other files may end with `.ts`, because Node.js runs them without compiling. */
function runsTypeScript({ root, framework }: Project): boolean {
  if (framework.runner === "bundler") return true
  const path = join(root, "tsconfig.json")
  const text = existsSync(path) ? readFileSync(path, "utf8") : ""
  return /"(?:allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/.test(text)
}

function jsEndings(text: string): string {
  return text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"')
}

function withoutTypes(path: string): string {
  return path.replace(/\.ts(x?)$/, ".js$1")
}
