import {
  type AdapterAccount,
  type AdapterSession,
  type AdapterUser,
  detailsOf,
  fieldsFromJson,
} from "@latchkey/core/adapters"
import { type Delegate, hasText, type Row } from "./client.js"

// `modelsOf` checked that the rows have the fields of these types.

export function userOf(model: Delegate, row: Row): AdapterUser {
  const { extra, ...fields } = row
  if (!hasText(model, "extra")) return { ...row, id: String(row["id"]) } as unknown as AdapterUser
  return { ...fieldsFromJson(extra), ...fields, id: String(row["id"]) } as unknown as AdapterUser
}

/** NULL is a token that the provider didn't send. */
export function accountOf(model: Delegate, row: Row): AdapterAccount {
  const { extra, user: _user, ...rest } = row
  const fields = Object.entries(hasText(model, "extra") ? rest : { ...rest, extra }).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  const own = hasText(model, "extra") ? fieldsFromJson(extra) : {}
  return { ...own, ...Object.fromEntries(fields), userId: String(row["userId"]) } as unknown as AdapterAccount
}

export function sessionOf(row: Row): AdapterSession {
  const { details, user: _user, ...fields } = row
  return { ...fields, userId: String(row["userId"]), ...detailsOf(details) } as unknown as AdapterSession
}

/** The user of a session or an account. `undefined` without foreign keys, if the user is gone. */
export function ownerOf(row: Row | null | undefined): Row | undefined {
  const user: unknown = row?.["user"]
  return typeof user === "object" && user !== null ? { ...user } : undefined
}
