import type { AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser } from "@latchkey/core/adapters"

/** What was stored under a key, as far as it's an object. */
export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

/** Without `undefined`, and with valid dates only: JSON would store an invalid one as `null`. */
export function given(row: object): Fields {
  const entries = Object.entries(row).filter(([, value]) => value !== undefined)
  for (const [name, value] of entries) {
    if (value instanceof Date && Number.isNaN(value.getTime())) {
      throw new TypeError(`The date ${name} is invalid. Pass a valid Date object.`)
    }
  }
  return Object.fromEntries(entries)
}

export function userOf(value: unknown, id: string): AdapterUser | undefined {
  const row = fieldsOf(value)
  if (row === undefined || String(row["id"]) !== id) return undefined
  const { email, emailVerified = null } = withDates(row, ["name", "email", "image"])
  // The types of other fields depend on the application.
  return { ...withDates(row, ["name", "email", "image"]), id, email, emailVerified } as AdapterUser
}

export function sessionOf(value: unknown, sessionToken: string): AdapterSession | undefined {
  const row = fieldsOf(value)
  if (row === undefined || row["sessionToken"] !== sessionToken) return undefined
  const { userId, expires } = row
  const times = { expires: new Date(String(expires)) }
  return { ...withDates(row, []), ...detailsOf(row), sessionToken, userId: String(userId), ...times }
}

export function accountOf(value: unknown, provider: string, providerAccountId: string): AdapterAccount | undefined {
  const row = fieldsOf(value)
  if (row?.["provider"] !== provider || String(row["providerAccountId"]) !== providerAccountId) return undefined
  const { id: _id, ...fields } = row
  // The types of the tokens are those that the provider sent.
  return { ...fields, userId: String(row["userId"]), provider, providerAccountId } as AdapterAccount
}

export function authenticatorOf(value: unknown, credentialID: string): AdapterAuthenticator | undefined {
  const row = fieldsOf(value)
  if (row === undefined || row["credentialID"] !== credentialID) return undefined
  const counter = Number(row["counter"])
  // `createAuthenticator` stored the other fields as they are.
  const fields: Fields = { ...row, ...detailsOf(row), userId: String(row["userId"]), counter }
  return fields as unknown as AdapterAuthenticator
}

/** Details that aren't given stay as they are. */
export function mergeDetails(stored: object | null | undefined, changes: object): Fields {
  return { ...stored, ...given(changes) }
}

function detailsOf(row: Fields): { readonly details?: Fields } {
  const details = fieldsOf(row["details"])
  return details === undefined ? {} : { details: withDates(details, ["name", "browser", "system"]) }
}

/** Like `@auth/unstorage-adapter`, restores the dates among the fields of an application. Texts of users stay texts. */
function withDates(row: Fields, texts: readonly string[]): Fields {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "string" && isoDate.test(value) && !texts.includes(name) ? new Date(value) : value,
  ])
  return Object.fromEntries(entries)
}

/** The format of `Date.prototype.toJSON`. */
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
