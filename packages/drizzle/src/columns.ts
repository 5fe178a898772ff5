import { isStorable } from "@latchkey/core/adapters"
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
