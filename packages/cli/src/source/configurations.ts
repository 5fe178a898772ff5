import type { CallExpression, ObjectExpression } from "oxc-parser"
import { bindingsOf, type Binding } from "./imports.js"
import { bare, type Expression, nameOf, type Node, type Source, valueOf, walk } from "./syntax.js"

/** A configuration object in a file. */
export interface Configuration {
  readonly object: ObjectExpression
  /** The package of the function that it's passed to, or of its type. */
  readonly from: string
  /** Whether it's passed to a function. Otherwise it was found by its type. */
  readonly isCalled: boolean
}

const packages = /^(?:next-auth|@auth\/[\w-]+|@latchkey\/[\w-]+)$/

/** The position of the configuration in the arguments. */
const factories: Readonly<Record<string, number>> = {
  ExpressAuth: 0,
  SvelteKitAuth: 0,
  QwikAuth$: 0,
  QwikAuthQrl: 0,
  SolidAuth: 0,
  NextAuth: 0,
  createServer: 0,
  withEnv: 0,
  check: 0,
  Auth: 1,
  getSession: 1,
}

const typeNames = /^(?:\w*Auth)?(?:Config|Options)$/

/** The configurations in the file. Those that are passed to a function come first. */
export function configurationsIn(source: Source): Configuration[] {
  const bindings = new Map(
    bindingsOf(source)
      .filter(({ from }) => packages.test(from.replace(/^(next-auth)\/next$/, "$1")))
      .map((binding) => [binding.local, binding]),
  )
  const found = new Map<number, Configuration>()
  const add = (object: ObjectExpression | undefined, { from }: Binding, isCalled: boolean) => {
    if (object === undefined) return
    const known = found.get(object.start)
    found.set(object.start, { object, from, isCalled: isCalled || known?.isCalled === true })
  }
  walk(source.program, (node) => {
    const called = calledFactory(node, bindings)
    if (called !== undefined) return add(objectBehind(source, called.argument), called.binding, true)
    const typed = typedValue(node)
    const binding = typed === undefined ? undefined : bindings.get(typed.type)
    if (typed !== undefined && binding !== undefined && typeNames.test(binding.imported))
      add(objectBehind(source, typed.value), binding, false)
  })
  return [...found.values()].toSorted((a, b) => Number(b.isCalled) - Number(a.isCalled))
}

function calledFactory(
  node: Node,
  bindings: ReadonlyMap<string, Binding>,
): { argument: Expression; binding: Binding } | undefined {
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier") return undefined
  const binding = bindings.get(node.callee.name)
  if (binding === undefined) return undefined
  const index = binding.imported === "default" ? 0 : factories[binding.imported]
  const argument = index === undefined ? undefined : node.arguments[index]
  return argument === undefined || argument.type === "SpreadElement" ? undefined : { argument, binding }
}

/** The type and value of `const x: Type = value` and `value satisfies Type`. */
function typedValue(node: Node): { type: string; value: Expression } | undefined {
  if (node.type === "TSSatisfiesExpression" || node.type === "TSAsExpression") {
    const type = typeNameOf(node.typeAnnotation)
    return type === undefined ? undefined : { type, value: node.expression }
  }
  if (node.type !== "VariableDeclarator" || node.id.type !== "Identifier" || node.init === null) return undefined
  const type = node.id.typeAnnotation ? typeNameOf(node.id.typeAnnotation.typeAnnotation) : undefined
  return type === undefined ? undefined : { type, value: node.init }
}

function typeNameOf(type: Node): string | undefined {
  return type.type === "TSTypeReference" && type.typeName.type === "Identifier" ? type.typeName.name : undefined
}

/** The object literal behind an expression: the value of a constant, the result of a function, a frozen object. */
function objectBehind(source: Source, given: Expression, depth = 0): ObjectExpression | undefined {
  const expression = bare(given)
  if (depth > 8) return undefined
  if (expression.type === "ObjectExpression") return expression
  const next = behind(source, expression)
  return next === undefined ? undefined : objectBehind(source, next, depth + 1)
}

/** One step toward the literal. */
export function behind(source: Source, expression: Expression): Expression | undefined {
  switch (expression.type) {
    case "Identifier":
      return valueOf(source, expression.name)
    case "AwaitExpression":
      return expression.argument
    case "CallExpression":
      return passedThrough(expression)
    default:
      return returned(expression)
  }
}

const transparent = new Set(["freeze", "withEnv", "defineConfig", "$"])

/** The argument of a function that returns it. */
function passedThrough({ callee, arguments: given }: CallExpression): Expression | undefined {
  const [first] = given
  const name = nameOf(callee.type === "MemberExpression" ? callee.property : callee)
  if (name === undefined || !transparent.has(name) || first === undefined) return undefined
  return first.type === "SpreadElement" ? undefined : first
}

/** The result of a function with a single return. */
function returned(node: Node): Expression | undefined {
  if (node.type !== "ArrowFunctionExpression" && node.type !== "FunctionExpression") return undefined
  const { body } = node
  if (body === null) return undefined
  if (body.type !== "BlockStatement") return body
  const returns = body.body.filter((statement) => statement.type === "ReturnStatement")
  const [only, ...more] = returns
  return more.length > 0 ? undefined : (only?.argument ?? undefined)
}
