import type { Column } from "drizzle-orm"

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const integer = /^-?\d{1,19}$/

/** Converts a value of the contract to the type of the column, such as an id to a number. `undefined`: no row can have it. */
export function toColumn(column: Column, value: unknown): unknown {
  if (value === undefined || value === null || !isStorable(value)) return undefined
  if (typeof value !== "string") return isOther(column, value) ? value : undefined
  if (column.dataType === "number") return numberOf(column, value)
  if (column.dataType === "bigint") return integerOf(column, value)
  return hasFormatOf(column, value) ? value : undefined
}

/** Whether a value that isn't text can be a key. MySQL would compare a text with a number as numbers: 0 equals most of them. */
function isOther({ dataType }: Column, value: unknown): boolean {
  return dataType !== "string" && (typeof value === "number" || typeof value === "bigint" || value instanceof Date)
}

function numberOf(column: Column, value: string): number | undefined {
  const number = Number(integerOf(column, value) ?? Number.NaN)
  return Number.isSafeInteger(number) ? number : undefined
}

function integerOf({ columnType }: Column, value: string): bigint | undefined {
  if (!integer.test(value)) return undefined
  const number = BigInt(value)
  const bits = bitsOf.get(columnType)
  return bits === undefined || BigInt.asIntN(bits, number) === number ? number : undefined
}

// PostgreSQL rejects a comparison with a value that the column can't have.

const bitsOf: ReadonlyMap<string, number> = new Map([
  ["PgSmallInt", 16],
  ["PgSmallSerial", 16],
  ["PgInteger", 32],
  ["PgSerial", 32],
  ["PgBigInt64", 64],
  ["PgBigSerial64", 64],
])

const enums: readonly string[] = ["PgEnumColumn", "PgEnumObjectColumn"]

function hasFormatOf({ columnType, enumValues }: Column, value: string): boolean {
  if (columnType === "PgUUID") return uuid.test(value)
  return !enums.includes(columnType) || enumValues?.includes(value) === true
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
