import type { ArrayExpression, ObjectExpression, ObjectProperty } from "oxc-parser"
import { behind } from "./literal.js"
import { bare, type Expression, nameOf, type Source } from "./syntax.js"

/** A list in a configuration, such as its providers. */
export type List =
  | { readonly kind: "array"; readonly array: ArrayExpression }
  /** The configuration has no list. */
  | { readonly kind: "missing" }
  /** Code creates the list, or another file does. */
  | { readonly kind: "computed" }

export function providersOf(source: Source, object: ObjectExpression): List {
  return listOf(source, object, "providers")
}

export function listOf(source: Source, object: ObjectExpression, name: string): List {
  const property = propertyOf(object, name)
  if (property !== undefined) {
    const array = arrayBehind(source, property.value)
    return array === undefined ? { kind: "computed" } : { kind: "array", array }
  }
  const isWhole = object.properties.every(({ type }) => type !== "SpreadElement")
  return isWhole ? { kind: "missing" } : { kind: "computed" }
}

export function propertyOf(object: ObjectExpression, name: string): ObjectProperty | undefined {
  return object.properties.find(
    (property): property is ObjectProperty =>
      property.type === "Property" && !property.computed && nameOf(property.key) === name,
  )
}

function arrayBehind(source: Source, given: Expression, depth = 0): ArrayExpression | undefined {
  const expression = bare(given)
  if (depth > 8) return undefined
  if (expression.type === "ArrayExpression") return expression
  const next = behind(source, expression)
  return next === undefined ? undefined : arrayBehind(source, next, depth + 1)
}
