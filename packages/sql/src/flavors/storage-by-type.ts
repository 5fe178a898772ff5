import { fieldsToJson } from "@latchkey/core/adapters"
import { sql } from "kysely"
import { plain, json, validDate } from "./storage.js"
import type { Storage } from "./flavor.js"

// Columns of tables that this package didn't create.

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** A text that isn't a UUID would be an error of PostgreSQL, but no row has it. */
export const uuidText: Storage = { ...plain, holds: (value) => typeof value === "string" && uuid.test(value) }

/** The numbers of a type. JavaScript gets those of 64 bits as text, because it would round them. */
export interface IntegerRange {
  readonly least: bigint
  readonly most: bigint
}

export function signed(bits: number): IntegerRange {
  const most = 2n ** BigInt(bits - 1)
  return { least: -most, most: most - 1n }
}

export function unsigned(bits: number): IntegerRange {
  return { least: 0n, most: 2n ** BigInt(bits) - 1n }
}

/** Ids that are numbers. Other texts aren't found: databases would convert some of them to a number of another row. */
export function integerKey({ least, most }: IntegerRange): Storage {
  const isWide = most > BigInt(Number.MAX_SAFE_INTEGER)
  return {
    ...plain,
    encode: String,
    decode: (stored) => (isWide ? String(stored) : Number(stored)),
    holds: (value) => {
      if (!/^(?:0|-?[1-9]\d*)$/.test(String(value))) return false
      const number = BigInt(String(value))
      return number >= least && number <= most
    },
  }
}

/**
 * A column of the application with JSON of any kind, read as text: drivers parse JSON, and a string in it would be parsed twice.
 *
 * @param text the type that JSON is cast to. `undefined`: the database stores JSON as text
 */
export function anyJson(text?: "text" | "char"): Storage {
  return {
    ...json,
    ...(text !== undefined && { read: (column) => sql`cast(${column} as ${sql.raw(text)})` }),
    encode: fieldsToJson,
    decode: parseJson,
  }
}

/** SQLite doesn't check what a column of the type JSON contains. */
function parseJson(stored: unknown): unknown {
  try {
    return JSON.parse(String(stored))
  } catch {
    return stored
  }
}

/** Text such as `2030-01-02 03:04:05.678`, for a column without a time zone. */
export function zonelessText(date: unknown): string {
  return validDate(date).toISOString().slice(0, -1).replace("T", " ")
}
