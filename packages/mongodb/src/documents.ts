import { type Document, ObjectId } from "mongodb"

/** Such a text isn't an id or a key that could have been stored. BSON would turn a lone surrogate into `U+FFFD`. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && !/\p{Surrogate}/u.test(value)
}

export function assertText(...values: readonly unknown[]): void {
  if (!values.every(isText)) {
    throw new TypeError("An id, email or token isn't a string, or contains a lone surrogate. Pass another one.")
  }
}

/** As `_id` and `userId` are stored: an `ObjectId` if the text is one. An application may have stored other ids itself. */
export function toId(id: string): ObjectId | string {
  return /^[0-9a-f]{24}$/.test(id) ? new ObjectId(id) : id
}

/** Another copy of the driver may have created the id. */
export function fromId(id: unknown): string {
  const toHex: unknown = Reflect.get(Object(id), "toHexString")
  return typeof toHex === "function" ? String(Reflect.apply(toHex, id, [])) : String(id)
}

/** Without `undefined`, which the driver would store as `null`, and with valid dates only. */
export function fieldsOf(row: object): Document {
  const entries = Object.entries(row).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, toValue(value)]))
}

function toValue(value: unknown): unknown {
  if (value instanceof Date && Number.isNaN(value.getTime())) {
    throw new TypeError("The date is invalid. Pass a valid Date object.")
  }
  if (Array.isArray(value)) return value.map(toValue)
  const isPlain = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  return isPlain ? fieldsOf(value) : value
}

/** Without some fields, most often `_id`. */
export function without(document: Document, ...names: readonly string[]): Document {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)))
}

/** An update that sets top-level fields, also those with names that `$set` would take for a path or an operator. */
export function setOf(fields: Document): Document | Document[] {
  const isPlain = Object.keys(fields).every((name) => !name.includes(".") && !name.startsWith("$"))
  return isPlain ? { $set: fields } : [{ $replaceWith: { $mergeObjects: ["$$ROOT", { $literal: fields }] } }]
}

export function pathsOf(prefix: string, fields: Document): Document {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]))
}
