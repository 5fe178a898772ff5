/** The attributes of an item. */
export type Item = Readonly<Record<string, unknown>>

/**
 * Converts a row to attributes, like `@auth/dynamodb-adapter`: `expires` becomes seconds since 1970, which TTL needs, and other
 * dates become text. Leaves out `undefined`, which DynamoDB can't store.
 */
export function attributesOf(row: object): Item {
  const entries = Object.entries(row).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [
      attributeName(name),
      name === "expires" && value instanceof Date ? seconds(value) : toValue(value),
    ]),
  )
}

/**
 * Converts a user or an account. DynamoDB deletes items by their attribute `expires`, so a field of that name, such as one of a token
 * response, gets another attribute.
 */
export function lastingAttributesOf(row: object): Item {
  const { expires, ...others } = { expires: undefined, ...row }
  return { ...attributesOf(others), ...(expires !== undefined && { [expiresName]: toValue(expires) }) }
}

/** The changes after which DynamoDB doesn't delete a user or an account that was stored with the attribute `expires`. */
export function makeLasting(item: Item): { readonly set: Item; readonly remove: readonly string[] } {
  const { expires } = item
  return expires === undefined ? { set: {}, remove: [] } : { set: { [expiresName]: expires }, remove: ["expires"] }
}

/** An attribute must have a name. */
function attributeName(field: string): string {
  return field === "" || field.startsWith(prefix) ? prefix + field : field
}

const prefix = "field#"
const expiresName = `${prefix}expires`

/** Gives the attributes the names of their fields. */
export function fieldsOf(attributes: Item): Item {
  const entries = Object.entries(attributes).map(([name, value]) => [name, fromValue(value)] as const)
  const isPrefixed = ([name]: readonly [string, unknown]) => name.startsWith(prefix)
  const prefixed = entries.filter(isPrefixed).map(([name, value]) => [name.slice(prefix.length), value] as const)
  return Object.fromEntries([...entries.filter((entry) => !isPrefixed(entry)), ...prefixed])
}

function fromValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromValue)
  return typeof value === "object" && value !== null && isPlain(value) ? fieldsOf({ ...value }) : value
}

function seconds(date: Date): number {
  return valid(date).getTime() / 1000
}

function toValue(value: unknown): unknown {
  if (value instanceof Date) return valid(value).toISOString()
  if (Array.isArray(value)) return value.map((entry: unknown) => (entry === undefined ? null : toValue(entry)))
  if (typeof value !== "object" || value === null || !isPlain(value)) return value
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined)
  return Object.fromEntries(entries.map(([name, entry]) => [attributeName(name), toValue(entry)]))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function valid(date: Date): Date {
  if (Number.isNaN(date.getTime())) throw new TypeError("The date is invalid. Pass a valid Date object.")
  return date
}

/** Reads `expires`. */
export function dateOf(stored: unknown): Date {
  return new Date(typeof stored === "number" ? stored * 1000 : String(stored))
}

/** Like `@auth/dynamodb-adapter`, restores the dates among the fields of an application. Texts of users stay texts. */
export function withDates(fields: Item, texts: readonly string[]): Item {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === "string" && isoDate.test(value) && !texts.includes(name) ? new Date(value) : value,
  ])
  return Object.fromEntries(entries)
}

export function detailsOf({ details }: Item): { readonly details?: Item } {
  if (typeof details !== "object" || details === null) return {}
  return { details: withDates(fieldsOf({ ...details }), ["name", "browser", "system"]) }
}

/** The format of `Date.prototype.toISOString`. */
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
