/**
 * JSON that also keeps `Date` objects and big integers.
 *
 * @returns `undefined` for a value that would come back as another one, such as an instance of a class
 */
export function encodeRow(row: unknown): string | undefined {
  try {
    return JSON.stringify(encoded(row))
  } catch (error) {
    if (error instanceof Uncacheable) return undefined
    throw error
  }
}

export function decodeRow(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return decoded(value)
}

class Uncacheable extends Error {
  override readonly name = "Uncacheable"
}

/** The key of an object that stands for another value. */
const dateKey = "$date"
const bigintKey = "$bigint"

function encoded(value: unknown): unknown {
  if (typeof value === "object" && value !== null) return encodedObject(value)
  if (typeof value === "bigint") return { [bigintKey]: String(value) }
  if (typeof value === "number" && !Number.isFinite(value)) throw new Uncacheable()
  if (typeof value === "function" || typeof value === "symbol") throw new Uncacheable()
  return value
}

function encodedObject(value: object): object {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return { [dateKey]: value.getTime() }
  if (Array.isArray(value) && !value.includes(undefined)) return value.map(encoded)
  if (!isPlain(value)) throw new Uncacheable()
  const entries = Object.entries(value)
  if (entries.some(([name]) => name === dateKey || name === bigintKey || name === "__proto__")) throw new Uncacheable()
  return Object.fromEntries(entries.map(([name, field]) => [name, encoded(field)]))
}

function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded)
  if (typeof value !== "object" || value === null) return value
  const [first] = Object.entries(value)
  if (first?.[0] === dateKey) return new Date(Number(first[1]))
  if (first?.[0] === bigintKey) return BigInt(String(first[1]))
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, decoded(field)]))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
