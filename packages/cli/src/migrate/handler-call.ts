import type {
  CallExpression,
  ExportDefaultDeclaration,
  Expression,
  Node,
  Statement,
  VariableDeclarator,
} from "oxc-parser"
import { bare, nameOf, type Source, walk } from "../source/syntax.js"

/** `const handler = NextAuth(argument)`, `export default NextAuth(argument)`, or a function that returns it. */
export interface HandlerCall {
  readonly statement: Statement
  /** Undefined if the result is exported directly. */
  readonly handler: string | undefined
  /** Source text. */
  readonly argument: string
}

/** @param local the name of NextAuth. @returns undefined if the options depend on the request, or there is no such call */
export function handlerCall(source: Source, local: string): HandlerCall | undefined {
  for (const statement of source.program.body) {
    const { name, value } = declared(statement)
    // `const { handlers, auth } = NextAuth(options)` is version 5.
    if (name === undefined && statement.type !== "ExportDefaultDeclaration") continue
    const called = value === undefined ? undefined : callOf(value, local)
    if (called === undefined) continue
    const argument = optionsIn(source, called)
    return argument === undefined ? undefined : { statement, handler: name, argument }
  }
  return undefined
}

interface Called {
  readonly call: CallExpression
  /** The parameters of the function around it. */
  readonly params: readonly string[]
}

/** `NextAuth(options)`, or `(req, res) => NextAuth(req, res, options)` with nothing else in the function. */
export function callOf(value: Node, local: string): Called | undefined {
  if (value.type === "CallExpression") return nameOf(value.callee) === local ? { call: value, params: [] } : undefined
  const result = resultOf(value)
  const call = result?.type === "AwaitExpression" ? result.argument : result
  if (call?.type !== "CallExpression" || nameOf(call.callee) !== local || !isFunction(value)) return undefined
  return { call, params: value.params.map((param) => nameOf(param) ?? "") }
}

type AnyFunction = Extract<Node, { type: "ArrowFunctionExpression" | "FunctionExpression" | "FunctionDeclaration" }>

function isFunction(node: Node): node is AnyFunction {
  return ["ArrowFunctionExpression", "FunctionExpression", "FunctionDeclaration"].includes(node.type)
}

/** The result of a function that does nothing else. */
export function resultOf(node: Node): Node | undefined {
  if (!isFunction(node) || node.body === null) return undefined
  if (node.body.type !== "BlockStatement") return node.body
  const [only, ...more] = node.body.body
  return only?.type === "ReturnStatement" && more.length === 0 ? (only.argument ?? undefined) : undefined
}

/** The options of the call, unless they depend on the request. */
function optionsIn(source: Source, { call, params }: Called): string | undefined {
  const last = call.arguments.at(-1)
  if (last === undefined || last.type === "SpreadElement" || call.arguments.length !== params.length + 1)
    return undefined
  let usesRequest = false
  walk(last, (node) => {
    if (node.type === "Identifier" && params.includes(node.name)) usesRequest = true
  })
  return usesRequest ? undefined : source.text.slice(last.start, last.end)
}

/** The offset of the first call. */
export function callAt(source: Source, local: string): number | undefined {
  let at: number | undefined
  walk(source.program, (node) => {
    if (node.type === "CallExpression" && nameOf(node.callee) === local) at ??= node.start
  })
  return at
}

/** The name and the value that a statement declares or exports. */
export function declared(statement: Statement): { name: string | undefined; value: Node | undefined } {
  if (statement.type === "ExportDefaultDeclaration") return { name: undefined, value: exportedValue(statement) }
  const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
  if (declaration?.type === "FunctionDeclaration") return { name: declaration.id?.name, value: declaration }
  const first = declaration?.type === "VariableDeclaration" ? declaration.declarations[0] : undefined
  return first === undefined ? { name: undefined, value: undefined } : declaredBy(first)
}

function declaredBy({ id, init }: VariableDeclarator): { name: string | undefined; value: Node | undefined } {
  return { name: id.type === "Identifier" ? id.name : undefined, value: init === null ? undefined : bare(init) }
}

function exportedValue({ declaration }: ExportDefaultDeclaration): Node {
  return isExpression(declaration) ? bare(declaration) : declaration
}

function isExpression(node: ExportDefaultDeclaration["declaration"]): node is Expression {
  return (
    !/^(?:Function|Class|TSInterface|TSEnum|TSModule|TSDeclare)/.test(node.type) || node.type === "FunctionExpression"
  )
}
