import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Failure } from "../failure.js"
import { isFile } from "../project/files.js"
import { isBridge, isSwapped, type Project } from "../project/project.js"
import { applied, type Edit } from "../source/edits.js"
import { parse, type Source } from "../source/syntax.js"
import { codeIn } from "./components.js"
import { isCode, isComponent } from "./files.js"
import { type Modules, modulesOf } from "./modules.js"
import { Draft } from "./plan.js"

/** An application, or one package of a monorepo, during its migration. */
export interface App {
  readonly project: Project
  readonly draft: Draft
  /** Every file that was read: paths relative to the root of the package, with slashes. */
  readonly all: readonly string[]
  /** The code that mentions Auth.js. */
  readonly files: readonly string[]
  readonly modules: Modules
  /** Whether it uses next-auth 4. */
  readonly isVersion4: boolean
  /** The packages of Auth.js that stay in package.json, because the code still imports them. */
  readonly keeps: Set<string>
  /** Whether a module of Auth.js is Latchkey already, under the old name. */
  isSwapped(specifier: string): boolean
}

const hints = /next-auth|nextauth\]|@auth\/|@hono\/auth-js|auth-astro|NEXTAUTH_|getServerSession|authOptions/

/** @param paths relative to the root of the package. @param prefix the folder of the package, such as `apps/web/` */
export function appOf(
  project: Project,
  {
    paths,
    prefix,
    isVersion4,
  }: { readonly paths: readonly string[]; readonly prefix: string; readonly isVersion4: boolean },
): App {
  const { root } = project
  // A file above the root belongs to another package, which is migrated on its own.
  const isOwn = (path: string) => !path.startsWith("../") && isFile(join(root, path))
  const read = (path: string) => (isOwn(path) ? readFileSync(join(root, path), "utf8") : undefined)
  const draft = new Draft(read, prefix)
  const files = paths.filter((path) => (isCode(path) || isComponent(path)) && hints.test(read(path) ?? ""))
  const known = new Set(paths)
  const exists = (path: string) => known.has(path) || draft.get(path) !== undefined
  return {
    project,
    draft,
    all: paths,
    files,
    modules: modulesOf(root, project.manifest, exists),
    isVersion4,
    keeps: new Set(),
    isSwapped: (specifier) => hasNewInterface(project, /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ""),
  }
}

/** With the bridge, there's still everything to migrate. */
function hasNewInterface(project: Project, name: string): boolean {
  return isSwapped(project, name) && !isBridge(project, name)
}

/** The file after the previous steps. Undefined if it was deleted or has a syntax error. */
export function sourceOf({ draft }: App, path: string): Source | undefined {
  const text = draft.get(path)
  if (text === undefined) return undefined
  try {
    return isComponent(path) ? parse(path, text, codeIn(path, text)) : parse(path, text)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    draft.leave(`has a syntax error and wasn't changed (${error.message})`, path)
    return undefined
  }
}

/** Applies the edits to the draft. */
export function change({ draft }: App, source: Source, edits: readonly Edit[]): void {
  if (edits.length > 0) draft.set(source.path, applied(source.text, edits))
}

export function lineOf({ path, text }: Source, at: number): string {
  return `${path}:${lineNumber(text, at)}`
}

export function lineNumber(text: string, at: number): number {
  return text.slice(0, at).split("\n").length
}
