import type { Statement } from "oxc-parser"
import { styleOf } from "../source/imports.js"
import type { Source } from "../source/syntax.js"
import type { App } from "./app.js"
import { declared } from "./handler-call.js"

const handlerPath = /^((?:.+?\/)??)(app|pages)\/(.*\[\.\.\.nextauth\])(?:\/route)?\.[cm]?([jt])sx?$/

/** An API route of version 4. */
export interface RoutePath {
  /** The folder above `app` or `pages`. Empty, or with a slash at the end. */
  readonly folder: string
  /** Whether it's in `app`. */
  readonly isInApp: boolean
  /** The path below `app` or `pages`. */
  readonly below: string
  /** `t` for TypeScript, `j` for JavaScript. */
  readonly letter: string
}

export function routePath(path: string): RoutePath | undefined {
  const [, folder = "", kind, below = "", letter = "t"] = handlerPath.exec(path) ?? []
  return kind === undefined ? undefined : { folder, isInApp: kind === "app", below, letter }
}

/** The module that exports `auth` after the migration. */
export interface Setup {
  /** The path of the file. */
  readonly module: string
  /** The API route that had the options, if they had to move. */
  readonly movedFrom: string | undefined
  /** Settings of the old route, such as `export const runtime = "nodejs"`. */
  readonly settings: readonly string[]
}

/** Replaces the old API route by a route handler. */
export function writeRoute(app: App, old: Source, route: RoutePath, { module, settings }: Setup, like?: string): void {
  const { quote, semicolon, newline } = styleOf(old)
  const path = route.isInApp ? old.path : `${route.folder}app/${route.below}/route.${route.letter}s`
  const isOther = like?.startsWith(".") === true && app.modules.resolve(path, like) !== module
  const from = app.modules.nameFor(path, module, isOther ? undefined : like)
  if (!route.isInApp) app.draft.set(old.path, undefined)
  const lines = [
    `import { handlers } from ${quote}${from}${quote}${semicolon}`,
    "",
    ...(route.isInApp ? settings : []),
    `export const { GET, POST } = handlers${semicolon}`,
  ]
  const mark = old.text.startsWith("\uFEFF") ? "\uFEFF" : ""
  app.draft.set(path, mark + lines.join(newline) + newline)
}

/** `export const runtime = "nodejs"`, `export const config = { api: … }` */
export function isRouteSetting(statement: Statement): boolean {
  const names = ["runtime", "dynamic", "dynamicParams", "revalidate", "maxDuration", "preferredRegion", "config"]
  return statement.type === "ExportNamedDeclaration" && names.includes(declared(statement).name ?? "")
}

/** The text of the settings. */
export function settingsOf({ program, text }: Source): string[] {
  return program.body.filter(isRouteSetting).map(({ start, end }) => text.slice(start, end))
}
