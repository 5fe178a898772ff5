import { isDate } from "@latchkey/core/adapters"
import type { Stored } from "./records.js"

type Fields = Readonly<Record<string, unknown>>

/** Fields that are text even if a user chose a name that looks like a date. */
const texts: ReadonlySet<string> = new Set(
  "id name email image userId sessionToken provider providerAccountId type credentialID credentialPublicKey transports".split(
    " ",
  ),
)

/** Our own fields in a record. `@auth/upstash-redis-adapter` keeps them when it changes the record. */
const ownPrefix = "latchkey:"

/** How many times all sessions of a user were ended. A session belongs to the count at which it was created. */
export const epochField: string = `${ownPrefix}epoch`
/** The email that a change of email is about to claim. */
export const claimField: string = `${ownPrefix}claim`

/** The fields as the application stored them, with `Date` objects for dates. */
export function publicFields({ fields }: Stored): object {
  const entries = Object.entries(fields).filter(([name]) => !name.startsWith(ownPrefix))
  return Object.fromEntries(entries.map(([name, value]) => [name, texts.has(name) ? value : withDate(value)]))
}

export function textField({ fields }: Stored, name: string): string {
  const value = fields[name]
  return typeof value === "string" ? value : ""
}

/** An invalid date where the field isn't a date: the engine treats such a session as expired. */
export function dateField({ fields }: Stored, name: string): Date {
  const value = fields[name]
  return typeof value === "string" ? new Date(value) : new Date(Number.NaN)
}

export function epochOf({ fields }: Stored): number {
  const value = fields[epochField]
  return typeof value === "number" ? value : 0
}

/** The details of a session or passkey: what `describeSession` and `describeAuthenticator` stored. */
export function detailsOf({ fields }: Stored): { readonly details?: Fields } {
  const { details } = fields
  if (typeof details !== "object" || details === null) return {}
  const entries = Object.entries(details).map(([name, value]: [string, unknown]) => [
    name,
    name.endsWith("At") ? withDate(value) : value,
  ])
  return { details: Object.fromEntries(entries) }
}

/** The details as JSON stores them, merged into those that are stored already. */
export function withDetails({ fields }: Stored, changes: object): Fields {
  const before: unknown = fields["details"]
  return { ...fields, details: { ...(typeof before === "object" ? before : {}), ...given(changes) } }
}

/** The fields that have a value: an absent one keeps what's stored. */
export function given(changes: object): Fields {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

/** @throws TypeError for an invalid date, which JSON would store as `null` */
export function millisecondsOf(date: Date): number {
  if (date instanceof Date && !Number.isNaN(date.getTime())) return date.getTime()
  throw new TypeError("The date is invalid. Pass a valid Date object.")
}

function withDate(value: unknown): unknown {
  return typeof value === "string" && isDate(value) ? new Date(value) : value
}
