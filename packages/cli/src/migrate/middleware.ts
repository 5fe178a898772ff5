import type { ObjectExpression } from "oxc-parser"
import { configurationsIn } from "../source/configurations.js"
import { type Edit, insert } from "../source/edits.js"
import { bindingsOf, styleOf } from "../source/imports.js"
import { propertyOf } from "../source/providers.js"
import { type Source, textOf } from "../source/syntax.js"
import { type App, change, lineOf, sourceOf } from "./app.js"
import { declared } from "./handler-call.js"
import { type OldMiddleware, oldMiddlewareIn, valueOf } from "./old-middleware.js"
import type { Setup } from "./route.js"

/**
 * Replaces the middleware of version 4 by `auth`. Version 4 required a session by default, for which `auth` needs the
 * callback `authorized`. A middleware with rules of its own stays, with a note.
 */
export function replaceMiddleware(app: App, setup: Setup | undefined, paths: readonly string[]): void {
  for (const path of paths.filter((file) => /(?:^|\/)(?:middleware|proxy)\.[cm]?[jt]s$/.test(file))) {
    const source = sourceOf(app, path)
    const found = source === undefined ? undefined : oldMiddlewareIn(source)
    if (source === undefined || found === undefined) continue
    const isDone =
      setup !== undefined &&
      found.problem === undefined &&
      guard(app, setup, { ...found, isPublic: isPublic(source), isOnEdge: isMiddleware(source) })
    if (isDone) change(app, source, [exportEdit(app, source, setup, found)])
    else {
      const reason = found.problem ?? "the configuration wasn't found, or creates its callbacks with code."
      app.draft.leave(
        `The middleware stays, because ${reason} It doesn't see sessions that start from now on. Export \`auth\` of your auth.ts as the middleware, and move the rule to the callback \`authorized\`.`,
        lineOf(source, found.at),
      )
    }
  }
}

/** Version 4 let everyone load the files of Next.js, even without a `matcher`. */
function isPublic({ text }: Source): boolean {
  return !/\bmatcher\b/.test(text)
}

function exportEdit(app: App, source: Source, { module }: Setup, { start, end, between }: OldMiddleware): Edit {
  const from = app.modules.nameFor(source.path, module, undefined)
  const { quote, semicolon, newline } = styleOf(source)
  const name = nameFor(source)
  const text = `export { auth as ${name} } from ${quote}${from}${quote}${semicolon}`
  return { start, end, text: between === "" ? text : `${between}${newline}${text}` }
}

function isMiddleware({ path }: Pick<Source, "path">): boolean {
  return /(?:^|\/)middleware\./.test(path)
}

/** `middleware`, or `default` if the file has another export with this name. Next.js accepts both. */
function nameFor({ path, program }: Source): string {
  const name = isMiddleware({ path }) ? "middleware" : "proxy"
  return program.body.some((statement) => declared(statement).name === name) ? "default" : name
}

interface Guard {
  readonly signIn: string | undefined
  /** Whether it runs on the edge runtime. `proxy.ts` runs on Node.js. */
  readonly isOnEdge: boolean
  readonly isPublic: boolean
}

/** Adds the rule to the configuration. @returns whether the configuration has it now */
function guard(app: App, { module }: Setup, { signIn, isPublic, isOnEdge }: Guard): boolean {
  const source = configurationSource(app, module)
  if (source === undefined) return false
  const object = configurationsIn(source)[0]?.object
  if (object === undefined || !hasSignInPage(object, signIn)) return false
  const callbacks = valueOf(object, "callbacks")
  if (callbacks !== undefined && callbacks.type !== "ObjectExpression") return false
  if (isOnEdge) noteAdapter(app, source, object)
  const rule = isPublic ? publicRule : "authorized: ({ auth }) => auth !== null"
  change(app, source, ruleEdits(source, object, rule))
  return true
}

const publicRule =
  "authorized: ({ auth, request }) => auth !== null || /^\\/(?:_next\\/|favicon\\.ico$)/.test(request.nextUrl.pathname)"

/** Adds the rule to the callbacks, if they have none. */
function ruleEdits(source: Source, object: ObjectExpression, rule: string): Edit[] {
  const callbacks = valueOf(object, "callbacks")
  if (callbacks?.type !== "ObjectExpression") return [first(source, object, `callbacks: { ${rule} }`)]
  return propertyOf(callbacks, "authorized") === undefined ? [first(source, callbacks, rule)] : []
}

/** Whether the configuration has the sign-in page that the middleware sent visitors to. */
function hasSignInPage(object: ObjectExpression, signIn: string | undefined): boolean {
  if (signIn === undefined) return true
  const pages = valueOf(object, "pages")
  const page = pages?.type === "ObjectExpression" ? valueOf(pages, "signIn") : undefined
  return page !== undefined && textOf(page) === signIn
}

function noteAdapter({ draft }: App, source: Source, object: ObjectExpression): void {
  const adapter = propertyOf(object, "adapter")
  if (adapter === undefined) return
  draft.leave(
    'The middleware now loads the adapter, which may not work on the edge runtime. Load it on Node.js only, and set `session: { strategy: "jwt" }`, as docs/nextjs-proxy.md#run-on-the-edge describes.',
    lineOf(source, adapter.start),
  )
}

/** The file with the options: the module itself, or one that it imports. */
function configurationSource(app: App, module: string): Source | undefined {
  const source = sourceOf(app, module)
  const imported = source === undefined ? [] : bindingsOf(source).map(({ from }) => app.modules.resolve(module, from))
  const sources = [module, ...imported].map((path) => (path === undefined ? undefined : sourceOf(app, path)))
  return sources.find((one) => one !== undefined && configurationsIn(one).length > 0)
}

/** Inserts a property before the others, on its own line if they have their own lines. */
function first({ text, ...source }: Source, object: ObjectExpression, property: string): Edit {
  const [next] = object.properties
  if (next === undefined) return { start: object.start, end: object.end, text: `{ ${property} }` }
  const line = text.slice(text.lastIndexOf("\n", next.start - 1) + 1, next.start)
  const { newline } = styleOf({ text, ...source })
  return insert(next.start, `${property},${line.trim() === "" ? newline + line : " "}`)
}
