import { type Document, EJSON } from "bson"
import { unsupported } from "./failure.js"

/** Whether a document matches a filter. */
export function matches(document: Document, filter: Document): boolean {
  return Object.entries(filter).every(([path, condition]) => {
    if (path.startsWith("$")) throw unsupported(`the operator ${path}`)
    const value = valueAt(document, path)
    return isOperators(condition) ? meetsAll(value, condition) : isSame(value, condition)
  })
}

export function valueAt(document: Document, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => Reflect.get(Object(value), name), document)
}

/** Compares by type and value. As in MongoDB, `null` matches a missing field too. */
export function isSame(left: unknown, right: unknown): boolean {
  return keyOf(left) === keyOf(right)
}

export function keyOf(value: unknown): string {
  return EJSON.stringify({ value: value ?? null }, { relaxed: true })
}

function isOperators(condition: unknown): condition is Document {
  return (
    typeof condition === "object" &&
    condition !== null &&
    Object.getPrototypeOf(condition) === Object.prototype &&
    Object.keys(condition).some((name) => name.startsWith("$"))
  )
}

function meetsAll(value: unknown, operators: Document): boolean {
  return Object.entries(operators).every(([operator, operand]) => {
    if (operator === "$eq") return isSame(value, operand)
    if (operator === "$in") return operand.some((each: unknown) => isSame(value, each))
    if (operator === "$not") return !meetsAll(value, operand)
    if (operator === "$lte") return value instanceof Date && operand instanceof Date && value <= operand
    if (operator === "$gt" && typeof operand === "string") return typeof value === "string" && value > operand
    if (operator === "$lt") return value instanceof Date && operand instanceof Date && value < operand
    if (operator === "$gte" && typeof operand === "string") return typeof value === "string" && value >= operand
    throw unsupported(`the operator ${operator}`)
  })
}
