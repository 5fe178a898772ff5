import type { Statement } from "oxc-parser"
import { bare, nameOf, type Source } from "../source/syntax.js"
import { type App, sourceOf } from "./app.js"
import { isCode } from "./files.js"
import { callOf } from "./handler-call.js"
import { bindingOf } from "./names.js"
import type { Setup } from "./route.js"

/** The modules that export `auth` already, as in version 5. They stay as they are. */
export function existingSetups(app: App): Setup[] {
  return app.all
    .filter((path) => isCode(path) && app.draft.get(path)?.includes("NextAuth") === true)
    .filter((path) => exportsAuth(sourceOf(app, path)))
    .map((module) => ({ module, movedFrom: undefined, settings: [] }))
}

/** `export const { auth } = NextAuth(options)`, or `const { auth } = NextAuth(options)` and `export { auth }`. */
export function exportsAuth(source: Source | undefined): boolean {
  const local = source && bindingOf(source, "default", /^(?:next-auth|@latchkey\/next)$/)?.local
  return source?.program.body.some((statement) => local !== undefined && makesAuth(source, statement, local)) === true
}

function makesAuth({ program }: Source, statement: Statement, local: string): boolean {
  const isExport = statement.type === "ExportNamedDeclaration"
  const declaration = isExport ? statement.declaration : statement
  const first = declaration?.type === "VariableDeclaration" ? declaration.declarations[0] : undefined
  if (first?.id.type !== "ObjectPattern" || first.init === null || callOf(bare(first.init), local) === undefined)
    return false
  const isTaken = first.id.properties.some((one) => one.type === "Property" && nameOf(one.value) === "auth")
  return isTaken && (isExport || program.body.some((other) => exportsName(other, "auth")))
}

function exportsName(statement: Statement, name: string): boolean {
  return (
    statement.type === "ExportNamedDeclaration" &&
    statement.source === null &&
    statement.specifiers.some(({ exported }) => nameOf(exported) === name)
  )
}
