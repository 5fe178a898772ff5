const integer = /^-?\d{1,19}$/

/**
 * Converts a value of the contract to the type of the field, such as an id to a number. `undefined`: no row can have it.
 *
 * @param type the name of a type in Prisma's schema
 */
export function toField(type: string, value: unknown): unknown {
  if (value === undefined || value === null || !isStorable(value)) return undefined
  if (typeof value !== "string") return isOther(type, value) ? value : undefined
  if (type === "BigInt") return bigintOf(value)
  if (type !== "Int") return value
  const number = integer.test(value) ? Number(value) : Number.NaN
  return Math.abs(number) <= maxInt ? number : undefined
}

/** Whether a value that isn't text can be a key. Prisma would take an object for a filter, which many rows match. */
function isOther(type: string, value: unknown): boolean {
  return type !== "String" && (typeof value === "number" || typeof value === "bigint" || value instanceof Date)
}

/** An `Int` of Prisma has 32 bits. */
const maxInt = 2 ** 31 - 1

/** A `BigInt` of Prisma has 64 bits. */
function bigintOf(value: string): bigint | undefined {
  if (!integer.test(value)) return undefined
  const number = BigInt(value)
  return BigInt.asIntN(64, number) === number ? number : undefined
}

/** PostgreSQL can't store NUL. Drivers turn every lone surrogate into `U+FFFD`, so different texts would become equal. */
const unstorable = /[\0\p{Surrogate}]/u

export function isStorable(value: unknown): boolean {
  return typeof value !== "string" || !unstorable.test(value)
}

/** @throws TypeError if the database can't store it */
export function assertStorable(value: unknown): void {
  if (!isStorable(value)) {
    throw new TypeError("The text contains NUL or a lone surrogate, which the database can't store. Remove it.")
  }
  if (value instanceof Date && Number.isNaN(value.getTime())) {
    throw new TypeError("The date is invalid. Pass a valid Date object.")
  }
}

/** JSON for fields without a column of their own. */
export function toJson(fields: object): string {
  return JSON.stringify(fields, (name, value: unknown) => {
    assertStorable(name)
    assertStorable(value)
    return value
  })
}

export function fromJson(stored: unknown): object {
  const value: unknown = typeof stored === "string" ? JSON.parse(stored) : undefined
  return typeof value === "object" && value !== null ? value : {}
}

/** What a user sees about a session or a passkey. Dates are stored in milliseconds since 1970. */
export type Details = Readonly<Record<string, string | Date | null>>

/** As JSON. Details that aren't given stay as they are. */
export function mergeDetails(stored: unknown, given: object): string {
  const changes = Object.entries(given).filter(([, value]) => value !== undefined)
  const plain = changes.map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Date ? value.getTime() : value,
  ])
  return toJson({ ...fromJson(stored), ...Object.fromEntries(plain) })
}

/** Every number among the details is a time. */
export function detailsOf(stored: unknown): { readonly details?: Details } {
  if (stored === null || stored === undefined) return {}
  const entries = Object.entries(fromJson(stored)).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "number" ? new Date(value) : value,
  ])
  return { details: Object.fromEntries(entries) }
}
