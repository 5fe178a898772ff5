import type { CallExpression, ObjectExpression } from "oxc-parser"
import { bare, type Expression, nameOf, type Node, type Source, valueOf } from "./syntax.js"

/** The object literal behind an expression: the value of a constant, the result of a function, a frozen object. */
export function objectBehind(source: Source, given: Expression, depth = 0): ObjectExpression | undefined {
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
