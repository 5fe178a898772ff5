import { isStorable } from "@latchkey/core/adapters"

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
