import type { Stored } from "./schema.js"

/** Converts dates and booleans to the types of a database. */
export interface Codec {
  instant(date: Date): Stored
  boolean(value: boolean): Stored
  /** Whether `select … for update` is available. SQLite doesn't need it, because it has a single writer. */
  readonly locksRows: boolean
}

/** SQLite stores integers: milliseconds since 1970, and 0 or 1. */
export const sqliteCodec: Codec = {
  instant: (date) => valid(date).getTime(),
  boolean: Number,
  locksRows: false,
}

export const postgresCodec: Codec = {
  instant: valid,
  boolean: (value) => value,
  locksRows: true,
}

function valid(date: Date): Date {
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) {
    throw new TypeError("The date is invalid. Pass a valid Date object.")
  }
  return date
}

// The application may have changed the type parsers of a shared driver, so these functions accept several types.

export function toDate(stored: Stored): Date {
  if (stored instanceof Date) return stored
  return new Date(typeof stored === "string" || typeof stored === "number" ? stored : Number.NaN)
}

export function toBoolean(stored: Stored): boolean {
  return stored === true || stored === 1
}

export function toNumber(stored: Stored): number {
  return Number(stored)
}

/** JSON for fields without a column of their own. */
export function toJson(fields: object): string {
  return JSON.stringify(fields, (name, value: unknown) => {
    assertStorable(name)
    if (typeof value === "string") assertStorable(value)
    return value
  })
}

export function fromJson(stored: Stored): object {
  const value: unknown = typeof stored === "string" ? JSON.parse(stored) : stored
  return typeof value === "object" && value !== null ? value : {}
}

/** PostgreSQL can't store NUL. Drivers turn every lone surrogate into `U+FFFD`, so different texts would become equal. */
const unstorable = /[\0\p{Surrogate}]/u

export function isStorable(value: unknown): boolean {
  return typeof value !== "string" || !unstorable.test(value)
}

export function assertStorable(value: unknown): void {
  if (!isStorable(value)) {
    throw new TypeError("The text contains NUL or a lone surrogate, which the database can't store. Remove it.")
  }
}
