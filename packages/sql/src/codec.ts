import type { Stored } from "./schema.js"

/** How dates, truth values and JSON are written in one kind of database. */
export interface Codec {
  instant(date: Date): Stored
  boolean(value: boolean): Stored
  /** Whether rows can be locked while they are read; a database with one writer needs no such lock. */
  readonly locksRows: boolean
}

/** SQLite has integers: milliseconds since 1970, and 0 or 1. */
export const sqliteCodec: Codec = {
  instant: (date) => valid(date).getTime(),
  boolean: Number,
  locksRows: false,
}

/** PostgreSQL has types for them. */
export const postgresCodec: Codec = {
  instant: valid,
  boolean: (value) => value,
  locksRows: true,
}

function valid(date: Date): Date {
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) {
    throw new TypeError("An instant is not a valid Date: pass a Date object")
  }
  return date
}

// Reading is lenient about the form, as type parsers of a shared driver may have been changed.

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

/** Fields without a column, as JSON. `undefined` is left out. */
export function toJson(fields: object): string {
  return JSON.stringify(fields, (name, value: unknown) => {
    demandStorable(name)
    if (typeof value === "string") demandStorable(value)
    return value
  })
}

export function fromJson(stored: Stored): object {
  const value: unknown = typeof stored === "string" ? JSON.parse(stored) : stored
  return typeof value === "object" && value !== null ? value : {}
}

/** NUL, which PostgreSQL has no place for, and halves of surrogate pairs, which drivers turn into the same `U+FFFD`. */
const unstorable = /[\0\p{Surrogate}]/u

export function isStorable(value: unknown): boolean {
  return typeof value !== "string" || !unstorable.test(value)
}

export function demandStorable(value: unknown): void {
  if (!isStorable(value)) {
    throw new TypeError("A text contains NUL or half of a surrogate pair, which databases cannot store: remove it")
  }
}
