import { sql } from "kysely"
import type { Kind, Storage } from "./flavor.js"
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
  return type.startsWith("json") ? anyJson : plain
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
  read: (column) => sql`case when abs(${column}) > 9007199254740991 then cast(${column} as text) else ${column} end`,
  decode: (stored) => stored,
}
