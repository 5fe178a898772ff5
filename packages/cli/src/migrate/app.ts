import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Failure } from "../failure.js"
import { sourceFiles } from "../project/find-configuration.js"
import { majorOf, type Project } from "../project/project.js"
import { applied, type Edit } from "../source/edits.js"
import { parse, type Source } from "../source/syntax.js"
import { type Modules, modulesOf } from "./modules.js"
import { Draft } from "./plan.js"

/** An application during its migration. */
export interface App {
  readonly project: Project
  readonly draft: Draft
  /** The files that mention Auth.js: paths relative to the root, with slashes. */
  readonly files: readonly string[]
  readonly modules: Modules
  /** Whether it uses next-auth 4. */
  readonly isVersion4: boolean
}

const hints = /next-auth|@auth\/|NEXTAUTH_|getServerSession|authOptions/

export function appOf(project: Project): App {
  const { root } = project
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined)
  const draft = new Draft(read)
  const all = [...sourceFiles(root), ...declarationFiles(root)]
  const files = all.filter((path) => hints.test(read(path) ?? ""))
  const known = new Set(all)
  const modules = modulesOf(root, (path) => known.has(path))
  return { project, draft, files, modules, isVersion4: majorOf(project, "next-auth") === 4 }
}

/** Files such as `next-auth.d.ts`, which extend the type of the session. */
function declarationFiles(root: string): string[] {
  return ["", "types/", "src/", "src/types/", "@types/"].flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder))
          .filter((name) => name.endsWith(".d.ts") && name !== "next-env.d.ts")
          .map((name) => folder + name)
      : [],
  )
}

/** The file after the previous steps. Undefined if it was deleted or has a syntax error. */
export function sourceOf({ draft }: App, path: string): Source | undefined {
  const text = draft.get(path)
  if (text === undefined) return undefined
  try {
    return parse(path, text)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    draft.note(`has a syntax error and wasn't changed (${error.message})`, path)
    return undefined
  }
}

/** Applies the edits to the draft. */
export function change({ draft }: App, source: Source, edits: readonly Edit[]): void {
  if (edits.length > 0) draft.set(source.path, applied(source.text, edits))
}

export function lineOf({ path, text }: Source, at: number): string {
  return `${path}:${text.slice(0, at).split("\n").length}`
}
