import { fieldsToJson } from "@latchkey/core/adapters"
import { sql } from "kysely"
import type { Storage } from "./flavor.js"

/** Passes values on as they are. */
export const plain: Storage = {
  read: (column) => column,
  write: (parameter) => parameter,
  encode: (value) => value,
  decode: (stored) => stored,
  holds: () => true,
}

export const numeric: Storage = { ...plain, decode: Number }

export const json: Storage = { ...plain, encode: fieldsToJson, decode: fromJson }

/** 0 and 1. */
export const booleanNumber: Storage = { ...plain, encode: Number, decode: toBoolean }

/** Milliseconds since 1970. */
export const milliseconds: Storage = {
  ...plain,
  encode: (value) => validDate(value).getTime(),
  decode: toDate,
}

/** Text such as `2030-01-02T03:04:05.678Z`. */
export const isoText: Storage = {
  ...plain,
  encode: (value) => validDate(value).toISOString(),
  decode: toDate,
}

/** Text that counts Unicode characters, as SQL does. */
export function limited(maxLength: number): Storage {
  const fits = (value: unknown) =>
    typeof value !== "string" || value.length <= maxLength || Array.from(value).length <= maxLength
  return {
    ...plain,
    encode: (value) => {
      // Without its strict mode, MySQL would cut the text, so that different keys became equal.
      if (!fits(value)) throw new TypeError(`The text is too long for its column. Use at most ${maxLength} characters.`)
      return value
    },
    holds: fits,
  }
}

/** Casts a parameter, so that drivers send it as text, whatever their converters for other types do. */
export function castFromText(type: string): Storage["write"] {
  return (parameter) => sql`cast(cast(${parameter} as text) as ${sql.raw(type)})`
}

export function validDate(date: unknown): Date {
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) {
    throw new TypeError("The date is invalid. Pass a valid Date object.")
  }
  return date
}

/** The application may have changed the type parsers of a shared driver, so it accepts several types. */
export function toDate(stored: unknown): Date {
  if (stored instanceof Date) return stored
  if (typeof stored === "number" || typeof stored === "bigint") return new Date(wholeMs(Number(stored)))
  if (typeof stored !== "string") return new Date(Number.NaN)
  if (/^-?\d+(?:\.\d+)?$/.test(stored)) return new Date(wholeMs(Number(stored)))
  return new Date(withoutZone.test(stored) ? `${stored.replace(" ", "T")}Z` : stored)
}

/** Drops microseconds, as drivers do. PostgreSQL before 14 calculates with floating-point numbers, which are a bit too small. */
function wholeMs(milliseconds: number): number {
  return Math.floor(milliseconds + 0.0005)
}

/** SQL's format without a time zone, which JavaScript would take for local time. */
const withoutZone = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

function toBoolean(stored: unknown): boolean {
  return stored === true || Number(stored) === 1
}

export function fromJson(stored: unknown): object {
  const value: unknown = typeof stored === "string" ? JSON.parse(stored) : stored
  return typeof value === "object" && value !== null ? value : {}
}
