import {
  type AdapterAccount,
  type AdapterSession,
  type AdapterUser,
  detailsOf,
  fieldsFromJson,
} from "@latchkey/core/adapters"
import type { Row } from "./database.js"

export function userOf(row: Row): AdapterUser {
  const { extra, ...columns } = row
  const fields = typeof extra === "string" || extra === null ? columns : row
  // `modelsOf` checked the columns.
  return { ...fieldsFromJson(extra), ...fields, id: String(row["id"]) } as unknown as AdapterUser
}

/** NULL is a token that the provider didn't send. */
export function accountOf(row: Row): AdapterAccount {
  const { extra, ...columns } = row
  const fields = Object.entries(columns).filter(([, value]) => value !== null)
  const account = { ...fieldsFromJson(extra), ...Object.fromEntries(fields), userId: String(row["userId"]) }
  return account as unknown as AdapterAccount
}

export function sessionOf(row: Row): AdapterSession {
  const { details, ...columns } = row
  return { ...columns, userId: String(row["userId"]), ...detailsOf(details) } as unknown as AdapterSession
}
