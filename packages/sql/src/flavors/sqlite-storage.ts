import { sql } from "kysely"
import type { Kind, Storage } from "./flavor.js"
import type { Sql } from "./sql.js"
import { booleanNumber, isoText, json, milliseconds, numeric, plain, toDate, validDate } from "./storage.js"
import { anyJson, integerKey, signed } from "./storage-by-type.js"

/** @param type the declared type in lowercase, for dates followed by the format that existing rows have */
export function sqliteStorage(kind: Kind | "any", type: string): Storage {
  if (kind === "instant") return instantOf(type)
  if (kind === "json") return json
  if (kind === "boolean") return booleanNumber
  if (kind === "number") return numeric
  if (kind === "any") return anyOf(type)
  return /int/.test(type) ? integer : plain
}

function anyOf(type: string): Storage {
  if (/date|time/.test(type)) return instantOf(type)
  if (type.startsWith("bool")) return booleanNumber
  if (type.startsWith("json")) return anyJson()
  return /char|clob|text/.test(type) ? plain : { ...plain, read: exactInteger }
}

function instantOf(type: string): Storage {
  if (type.endsWith(" in seconds")) return seconds
  if (type.endsWith(" in milliseconds") || /int/.test(type)) return milliseconds
  return /date|time/.test(type) ? prismaText : isoText
}

/** The `timestamp` mode of Drizzle. */
const seconds: Storage = {
  ...plain,
  encode: (value) => Math.floor(validDate(value).getTime() / 1000),
  decode: (stored) => (typeof stored === "number" ? new Date(stored * 1000) : toDate(stored)),
}

/** The driver adapters of Prisma 7 store this format. */
const prismaText: Storage = {
  ...plain,
  encode: (value) => validDate(value).toISOString().replace("Z", "+00:00"),
  decode: toDate,
}

/** Drivers reject or round numbers that JavaScript can't represent. */
const integer: Storage = {
  ...integerKey(signed(64)),
  read: exactInteger,
  decode: (stored) => stored,
}

function exactInteger(column: Sql): Sql {
  const isLarge = sql`(${column} > 9007199254740991 or ${column} < -9007199254740991)`
  return sql`case when typeof(${column}) = 'integer' and ${isLarge} then cast(${column} as text) else ${column} end`
}
