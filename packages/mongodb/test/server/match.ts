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
    const meets = Object.hasOwn(tests, operator) ? tests[operator] : undefined
    if (!meets) throw unsupported(`the operator ${operator}`)
    return meets(value, operand)
  })
}

const tests: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
  $eq: isSame,
  $in: (value, operand) => Array.isArray(operand) && operand.some((each: unknown) => isSame(value, each)),
  $not: (value, operand) => !meetsAll(value, Object(operand)),
  $lt: (value, operand) =>
    typeof operand === "string"
      ? areTexts(value, operand) && String(value) < operand
      : areDates(value, operand) && Number(value) < Number(operand),
  $lte: (value, operand) => areDates(value, operand) && Number(value) <= Number(operand),
  $gt: (value, operand) => areTexts(value, operand) && String(value) > String(operand),
  $gte: (value, operand) => areTexts(value, operand) && String(value) >= String(operand),
}

/** Only the types that the adapter compares. Other values of a document are no match, as in MongoDB. */
function areDates(value: unknown, operand: unknown): boolean {
  if (!(operand instanceof Date)) throw unsupported("this comparison")
  return value instanceof Date
}

function areTexts(value: unknown, operand: unknown): boolean {
  if (typeof operand !== "string") throw unsupported("this comparison")
  return typeof value === "string"
}
