import { sql } from "kysely"
import type { Kind, Storage } from "./flavor.js"
import { castFromText, isoText, json, limited, milliseconds, numeric, plain, toDate, validDate } from "./storage.js"
import { anyJson, integerKey, signed, uuidText, zonelessText } from "./storage-by-type.js"

export function postgresStorage(kind: Kind | "any", type: string): Storage {
  if (kind === "instant") return instantOf(type)
  if (kind === "json") return { ...json, write: castFromText(type) }
  if (kind === "number") return numeric
  if (kind === "boolean") return plain
  if (kind === "any") return anyOf(type)
  if (type === "uuid") return { ...uuidText, write: castFromText("uuid") }
  const bits = integerBits.get(type)
  if (bits !== undefined) return { ...integerKey(signed(bits)), write: castFromText(type) }
  const [, length] = /^character varying\((\d+)\)/.exec(type) ?? []
  return length === undefined ? plain : limited(Number(length))
}

const integerBits: ReadonlyMap<string, number> = new Map([
  ["smallint", 16],
  ["integer", 32],
  ["bigint", 64],
])

function anyOf(type: string): Storage {
  if (type.endsWith("[]")) return plain
  if (type.startsWith("timestamp")) return instantOf(type)
  return type === "json" || type === "jsonb" ? { ...anyJson("text"), write: castFromText(type) } : plain
}

function instantOf(type: string): Storage {
  if (integerBits.has(type)) return milliseconds
  if (!type.startsWith("timestamp")) return isoText
  return type.includes("without time zone") ? zoneless : zoned
}

/** Neither sends nor reads the driver's type for dates, which depends on its settings and its time zone. */
const zoned: Storage = {
  ...plain,
  read: (column) => sql`cast(extract(epoch from ${column}) * 1000 as double precision)`,
  write: castFromText("timestamptz"),
  encode: (value) => validDate(value).toISOString(),
  decode: toDate,
}

/** In UTC, as Drizzle and Prisma store it. */
const zoneless: Storage = { ...zoned, write: castFromText("timestamp"), encode: zonelessText }
