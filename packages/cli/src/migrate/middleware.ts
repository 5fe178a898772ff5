import type { ObjectExpression } from "oxc-parser"
import { configurationsIn } from "../source/configurations.js"
import { type Edit, insert } from "../source/edits.js"
import { bindingsOf, styleOf } from "../source/imports.js"
import { propertyOf } from "../source/providers.js"
import { bare, nameOf, type Source, textOf } from "../source/syntax.js"
import { type App, change, sourceOf } from "./app.js"
import type { Setup } from "./setup.js"

/**
 * Replaces `export { default } from "next-auth/middleware"` by `auth`. Version 4 required a session by default. `auth` needs
 * the callback `authorized` for that. If this callback can't be added, the middleware stays, with a note.
 */
export function replaceMiddleware(app: App, setup: Setup | undefined): void {
  for (const path of app.files.filter((file) => /^(?:src\/)?middleware\.[cm]?[jt]s$/.test(file))) {
    const source = sourceOf(app, path)
    if (source === undefined) continue
    const edit = setup === undefined ? undefined : exportEdit(app, source, setup)
    if (edit !== undefined && setup !== undefined && guard(app, setup)) change(app, source, [edit])
    else if (usesOldMiddleware(source)) {
      app.draft.note(
        "uses withAuth or the default export of next-auth/middleware. Export `auth` of your auth.ts as `middleware`, and move the rule to the callback `authorized`.",
        path,
      )
    }
  }
}

function usesOldMiddleware(source: Source): boolean {
  const isOld = (from: string | undefined) => from === "next-auth/middleware"
  return (
    bindingsOf(source).some(({ from }) => isOld(from)) ||
    source.program.body.some(
      (one) => one.type === "ExportNamedDeclaration" && one.source !== null && isOld(textOf(one.source)),
    )
  )
}

function exportEdit(app: App, source: Source, { module }: Setup): Edit | undefined {
  const from = app.modules.nameFor(source.path, module, undefined)
  const { quote, semicolon } = styleOf(source)
  const text = `export { auth as middleware } from ${quote}${from}${quote}${semicolon}`
  for (const statement of source.program.body) {
    if (statement.type !== "ExportNamedDeclaration" || statement.source === null) continue
    const [only, ...more] = statement.specifiers
    const isDefault = only !== undefined && more.length === 0 && nameOf(only.local) === "default"
    if (isDefault && textOf(statement.source) === "next-auth/middleware")
      return { start: statement.start, end: statement.end, text }
  }
  return defaultExport(source, text)
}

/** `import withAuth from "next-auth/middleware"; export default withAuth` */
function defaultExport(source: Source, text: string): Edit | undefined {
  const old = bindingsOf(source).find(({ from }) => from === "next-auth/middleware")
  const declared = source.program.body.find(({ type }) => type === "ExportDefaultDeclaration")
  const imported = source.program.body.find((one) => one.type === "ImportDeclaration" && one.source.value === old?.from)
  if (old === undefined || imported === undefined || declared?.type !== "ExportDefaultDeclaration") return undefined
  if (declared.declaration.type !== "Identifier" || declared.declaration.name !== old.local) return undefined
  const between = source.text.slice(imported.end, declared.start)
  return { start: imported.start, end: declared.end, text: between.trim() === "" ? text : `${between.trim()}\n${text}` }
}

const rule = "authorized: ({ auth }) => auth !== null"

/** Adds the rule to the configuration. @returns whether the configuration has it now */
function guard(app: App, { module }: Setup): boolean {
  const source = sourceOf(app, module)
  const object = source === undefined ? undefined : configurationsIn(source)[0]?.object
  if (source === undefined || object === undefined) return false
  if (propertyOf(object, "adapter") !== undefined) {
    app.draft.note(
      'has an adapter, which would end up in the middleware. Pass it as a function that imports it, and set `session: { strategy: "jwt" }`, as docs/nextjs.md describes.',
      module,
    )
  }
  const callbacks = propertyOf(object, "callbacks")
  if (callbacks === undefined) {
    change(app, source, [first(source, object, `callbacks: { ${rule} }`)])
    return true
  }
  const value = bare(callbacks.value)
  if (value.type !== "ObjectExpression") return false
  if (propertyOf(value, "authorized") === undefined) change(app, source, [first(source, value, rule)])
  return true
}

/** Inserts a property before the others, on its own line if they have their own lines. */
function first({ text, ...source }: Source, object: ObjectExpression, property: string): Edit {
  const [next] = object.properties
  if (next === undefined) return { start: object.start, end: object.end, text: `{ ${property} }` }
  const line = text.slice(text.lastIndexOf("\n", next.start - 1) + 1, next.start)
  const { newline } = styleOf({ text, ...source })
  return insert(next.start, `${property},${line.trim() === "" ? newline + line : " "}`)
}
