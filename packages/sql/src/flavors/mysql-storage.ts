import { sql } from "kysely"
import type { Kind, Storage } from "./flavor.js"
import { booleanNumber, isoText, json, limited, milliseconds, numeric, plain, toDate } from "./storage.js"
import { anyJson, integerKey, signed, unsigned, zonelessText } from "./storage-by-type.js"

export function mysqlStorage(kind: Kind | "any", type: string): Storage {
  if (kind === "instant") return instantOf(type)
  if (kind === "json") return json
  if (kind === "boolean") return booleanNumber
  if (kind === "number") return numeric
  if (kind === "any") return anyOf(type)
  if (integerBits.has(baseOf(type))) return integerOf(type)
  return kind !== "text" && type.includes("character set latin1") ? latin1(textOf(type)) : textOf(type)
}

function textOf(type: string): Storage {
  const [, length] = /^(?:var)?char\((\d+)\)/.exec(type) ?? []
  if (length === undefined) return plain
  return type.includes("character set ascii") ? ascii(Number(length)) : limited(Number(length))
}

const integerBits: ReadonlyMap<string, number> = new Map([
  ["tinyint", 8],
  ["smallint", 16],
  ["mediumint", 24],
  ["int", 32],
  ["bigint", 64],
])

function baseOf(type: string): string {
  return /^[a-z]+/.exec(type)?.[0] ?? ""
}

/** MySQL compares a number with a text as floating-point numbers, so that large ids become equal. */
function integerOf(type: string): Storage {
  const isUnsigned = type.includes("unsigned")
  const bits = integerBits.get(baseOf(type)) ?? 64
  return {
    ...integerKey(isUnsigned ? unsigned(bits) : signed(bits)),
    read: (column) => (bits === 64 ? sql`cast(${column} as char)` : column),
    write: (parameter) => (isUnsigned ? sql`cast(${parameter} as unsigned)` : sql`cast(${parameter} as signed)`),
  }
}

function anyOf(type: string): Storage {
  if (/^(?:datetime|timestamp)/.test(type)) return instant
  if (type.startsWith("tinyint(1)")) return booleanNumber
  return type.startsWith("json") ? anyJson("char") : plain
}

function instantOf(type: string): Storage {
  if (/^(?:datetime|timestamp)/.test(type)) return instant
  return type.includes("int") ? milliseconds : isoText
}

/** Text in UTC. The driver would convert a date to its own time zone, and the server a parameter to that of the connection. */
const instant: Storage = {
  ...plain,
  read: (column) => sql`cast(${column} as char)`,
  encode: zonelessText,
  decode: toDate,
}

/** One byte per character. The comparison ignores spaces at the end, so no text has spaces. */
function ascii(maxLength: number): Storage {
  const { encode, holds } = limited(maxLength)
  const isAscii = (value: unknown) => typeof value === "string" && /^[!-~]*$/.test(value)
  return {
    ...plain,
    encode: (value) => {
      if (!isAscii(value)) throw new TypeError("The column of the key stores ASCII without spaces only.")
      return encode(value)
    },
    holds: (value) => isAscii(value) && holds(value),
  }
}

/** What Windows-1252 adds to ISO 8859-1. MySQL calls it latin1, and stores the five bytes that it leaves out as control characters. */
const windows1252 = /^[\0-\x7f\x81\x8d\x8f\x90\x9d\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/

/** A key. A comparison with another text is an error, and without its strict mode, MySQL would store question marks. */
function latin1({ encode, holds, ...storage }: Storage): Storage {
  const isLatin1 = (value: unknown) => typeof value !== "string" || windows1252.test(value)
  return {
    ...storage,
    encode: (value) => {
      if (isLatin1(value)) return encode(value)
      throw new TypeError(
        "The character set of the column is latin1, which can't store the text. Change it to utf8mb4.",
      )
    },
    holds: (value) => isLatin1(value) && holds(value),
  }
}
