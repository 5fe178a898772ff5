import type { CallExpression } from "oxc-parser"
import type { Edit } from "../source/edits.js"
import { type Binding, bindingsOf, importEdit, styleOf } from "../source/imports.js"
import { nameOf, type Source, walk } from "../source/syntax.js"
import { type App, change, lineOf, sourceOf } from "./app.js"
import { bindingOf, freeName, removedImports, usesOf } from "./names.js"
import type { Setup } from "./route.js"

/** The modules that exported it, and the one that an earlier migration may have put in their place. */
const modules = /^(?:next-auth(?:\/next)?|@latchkey\/next)$/

/** Replaces `getServerSession(…)` by `auth(…)`. What it can't replace keeps its import. */
export function replaceServerSessions(app: App, { module }: Setup, paths: readonly string[]): void {
  for (const path of paths) {
    for (const name of ["getServerSession", "unstable_getServerSession"]) {
      const source = sourceOf(app, path)
      const old = source === undefined ? undefined : bindingOf(source, name, modules)
      if (source !== undefined && old !== undefined) replaceIn(app, source, old, module)
    }
  }
}

function replaceIn(app: App, source: Source, old: Binding, module: string): void {
  const calls = callsOf(source, old.local)
  const others = usesOf(source, old.local) - calls.length
  if (calls.length === 0 && others > 0) return
  const options = optionsOf(source, calls)
  const auth = authIn(app, source, module, options)
  const isFree = options !== undefined && usesOf(source, options.local) <= calls.length
  const removed = removedImports(source, [...(others > 0 ? [] : [old]), ...(isFree ? [options] : [])])
  const gap = auth.missing === undefined ? undefined : removed.find(({ text }) => text === "")
  const edits = removed.map((edit) => (edit === gap ? inPlace(source, edit, auth.missing) : edit))
  change(app, source, [...calls.flatMap((call) => callEdits(app, source, call, auth.name)), ...edits])
  const rest = gap === undefined ? sourceOf(app, source.path) : undefined
  if (auth.missing !== undefined && rest !== undefined) {
    change(app, rest, [importEdit(rest, auth.missing.clause, auth.missing.from)])
  }
}

interface Import {
  readonly clause: string
  readonly from: string
}

/** The name of `auth` in this file, and the import to add. */
function authIn(
  app: App,
  source: Source,
  module: string,
  options: Binding | undefined,
): { readonly name: string; readonly missing: Import | undefined } {
  if (source.path === module) return { name: "auth", missing: undefined }
  const known = bindingsOf(source).find(
    ({ imported, from }) => imported === "auth" && app.modules.resolve(source.path, from) === module,
  )
  if (known !== undefined) return { name: known.local, missing: undefined }
  const name = freeName(source, ["auth", "serverAuth", "readSession"])
  const clause = name === "auth" ? "{ auth }" : `{ auth as ${name} }`
  return { name, missing: { clause, from: app.modules.nameFor(source.path, module, options?.from) } }
}

/** The import of the options that the calls pass. */
export function optionsOf(source: Source, calls: readonly CallExpression[]): Binding | undefined {
  const local = calls.map(optionsArgument).find((name) => name !== undefined)
  return bindingsOf(source).find((binding) => binding.local === local)
}

/** Replaces an old import by the new one. */
function inPlace(source: Source, edit: Edit, missing: Import | undefined): Edit {
  if (missing === undefined) return edit
  const { quote, semicolon } = styleOf(source)
  const end = /\r?\n$/.exec(source.text.slice(edit.start, edit.end))?.[0] ?? ""
  return { ...edit, text: `import ${missing.clause} from ${quote}${missing.from}${quote}${semicolon}${end}` }
}

export function callsOf(source: Source, local: string): CallExpression[] {
  const calls: CallExpression[] = []
  walk(source.program, (node) => {
    if (node.type === "CallExpression" && nameOf(node.callee) === local) calls.push(node)
  })
  return calls
}

/** The last argument: the options, or a function that makes them. */
function optionsArgument({ arguments: given }: CallExpression): string | undefined {
  const last = given.at(-1)
  if (last === undefined || given.length === 2) return undefined
  return nameOf(last.type === "CallExpression" ? last.callee : last)
}

/** Drops the options, and passes `context` instead of `context.req, context.res`. */
function callEdits(app: App, source: Source, call: CallExpression, name: string): Edit[] {
  const [first, second] = call.arguments
  const last = call.arguments.at(-1)
  if (call.arguments.some(({ type }) => type === "SpreadElement")) {
    app.draft.leave("passes a variable number of arguments to `auth`. Check their types.", lineOf(source, call.start))
  }
  const of = (node: typeof first, property: string) =>
    node?.type === "MemberExpression" && nameOf(node.property) === property && node.object.type === "Identifier"
      ? node.object.name
      : undefined
  const context = of(first, "req")
  const isContext = context !== undefined && context === of(second, "res") && call.arguments.length === 3
  const kept =
    call.arguments.length > 1 && last !== undefined
      ? source.text.slice(call.arguments[0]?.start, call.arguments.at(-2)?.end)
      : ""
  const passed = isContext ? context : kept
  return [{ start: call.start, end: call.end, text: `${name}(${passed})` }]
}
