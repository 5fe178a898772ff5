import type { CallExpression, Node, ObjectExpression, Statement } from "oxc-parser"
import { type Binding, bindingsOf } from "../source/imports.js"
import { propertyOf } from "../source/providers.js"
import { bare, nameOf, type Source, textOf } from "../source/syntax.js"
import { callAt, resultOf } from "./handler-call.js"

const old = "next-auth/middleware"

/** The use of the old middleware. */
export interface OldMiddleware {
  /** The range to replace. */
  readonly start: number
  readonly end: number
  /** Where to point to. */
  readonly at: number
  /** Text between the import and the export, which stays. */
  readonly between: string
  readonly signIn: string | undefined
  /** Why it can't be replaced. */
  readonly problem: string | undefined
}

export function oldMiddlewareIn(source: Source): OldMiddleware | undefined {
  const reexported = source.program.body.find(
    (one) => one.type === "ExportNamedDeclaration" && one.source !== null && textOf(one.source) === old,
  )
  if (reexported !== undefined) return reexport(reexported)
  const binding = bindingsOf(source).find(({ from, isType }) => from === old && !isType)
  return binding === undefined ? undefined : importedIn(source, binding)
}

/** `export { default } from "next-auth/middleware"` */
function reexport(statement: Statement): OldMiddleware {
  const specifiers = statement.type === "ExportNamedDeclaration" ? statement.specifiers : []
  const isDefault = specifiers.length === 1 && specifiers.every(({ local }) => nameOf(local) === "default")
  const { start, end } = statement
  const problem = isDefault ? undefined : "it exports more than the default."
  return { start, end, at: start, between: "", signIn: undefined, problem }
}

/** `import withAuth from "next-auth/middleware"` and its export. */
function importedIn(source: Source, { local }: Binding): OldMiddleware {
  const { body } = source.program
  const imported = body.find((one) => one.type === "ImportDeclaration" && one.source.value === old)
  const declared = body.find((one) => one.type === "ExportDefaultDeclaration")
  const start = imported?.start ?? 0
  const at = callAt(source, local) ?? start
  if (declared === undefined || imported === undefined)
    return { start, end: start, at, between: "", signIn: undefined, problem: elsewhere }
  const between = source.text.slice(imported.end, declared.start).replace(/^;/, "").trim()
  return { start, end: declared.end, between, ...exportedMiddleware(declared.declaration, local, at) }
}

const elsewhere = "withAuth is used in other code."

/** `export default withAuth`, `export default withAuth({ … })` */
function exportedMiddleware(value: Node, local: string, at: number): Pick<OldMiddleware, "at" | "signIn" | "problem"> {
  if (nameOf(value) === local) return { at: value.start, signIn: undefined, problem: undefined }
  const isCall = value.type === "CallExpression" && nameOf(value.callee) === local
  if (!isCall) return { at, signIn: undefined, problem: elsewhere }
  return { at: value.start, signIn: signInOf(value), problem: problemOf(value) }
}

function optionsOf({ arguments: [first, ...more] }: CallExpression): ObjectExpression | undefined {
  return first?.type === "ObjectExpression" && more.length === 0 ? first : undefined
}

function signInOf(call: CallExpression): string | undefined {
  const pages = valueOf(optionsOf(call), "pages")
  const signIn = pages?.type === "ObjectExpression" ? valueOf(pages, "signIn") : undefined
  return signIn === undefined ? undefined : textOf(signIn)
}

export function valueOf(object: ObjectExpression | undefined, name: string): Node | undefined {
  const property = object === undefined ? undefined : propertyOf(object, name)
  return property === undefined ? undefined : bare(property.value)
}

/** Why the call does more than to require a session. */
function problemOf(call: CallExpression): string | undefined {
  const options = optionsOf(call)
  if (call.arguments.length === 0) return undefined
  if (options === undefined) return "it passes a function to withAuth."
  return options.properties
    .map((property) => (property.type === "Property" ? (nameOf(property.key) ?? "") : "options with a spread"))
    .map((name) => optionProblem(name, call))
    .find((problem) => problem !== undefined)
}

function optionProblem(name: string, call: CallExpression): string | undefined {
  switch (name) {
    case "secret":
      return undefined
    case "pages":
      return signInOf(call) === undefined ? "it sets pages." : undefined
    case "callbacks":
      return requiresOnlySession(valueOf(optionsOf(call), name)) ? undefined : "its callback `authorized` has a rule."
    default:
      return `it sets ${name}.`
  }
}

/** `{ authorized: ({ token }) => !!token }` */
function requiresOnlySession(callbacks: Node | undefined): boolean {
  if (callbacks?.type !== "ObjectExpression" || callbacks.properties.length !== 1) return false
  const rule = valueOf(callbacks, "authorized")
  const result = rule === undefined ? undefined : resultOf(rule)
  return result !== undefined && isSessionTest(result)
}

/** `!!token`, `Boolean(token)`, `token !== null`, `token != null` */
function isSessionTest(node: Node): boolean {
  const isToken = (one: Node | undefined) => one !== undefined && nameOf(one) === "token"
  if (node.type === "UnaryExpression" && node.argument.type === "UnaryExpression")
    return isToken(node.argument.argument)
  if (node.type === "CallExpression") return nameOf(node.callee) === "Boolean" && isToken(node.arguments[0])
  if (node.type !== "BinaryExpression" || !node.operator.startsWith("!=")) return false
  return isToken(node.left) && node.right.type === "Literal" && node.right.value === null
}
