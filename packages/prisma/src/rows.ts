import type { AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser } from "@latchkey/core/adapters"
import { type Delegate, type Fields, hasText, type Row, typeOf } from "./client.js"
import { detailsOf, fromJson, toField, toJson } from "./values.js"

/** Splits fields into those of the model, and into `extra` if the model has it. Other fields can't be stored. */
export function rowOf(model: Delegate, given: object): Fields {
  const { fields, rest } = split(model, given)
  return hasText(model, "extra") && Object.keys(rest).length > 0 ? { ...fields, extra: toJson(rest) } : fields
}

/** The fields of the model, and the others. */
export function split(model: Delegate, given: object): { readonly fields: Fields; readonly rest: Fields } {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  const reserved = hasText(model, "extra") ? "extra" : undefined
  const isField = ([name]: readonly [string, unknown]) => name !== reserved && name in model.fields
  const fields = entries.filter(isField).map(([name, value]) => [name, converted(model, name, value)])
  return {
    fields: Object.fromEntries(fields),
    rest: Object.fromEntries(entries.filter((entry) => !isField(entry))),
  }
}

/** Ids may be numbers in the database. */
function converted(model: Delegate, name: string, value: unknown): unknown {
  if (name !== "id" && name !== "userId") return value
  const id = toField(typeOf(model, name), value)
  if (id === undefined) {
    throw new TypeError(
      `The ${name} can't be stored in a field of type ${typeOf(model, name)}. Use an id of that type.`,
    )
  }
  return id
}

// `modelsOf` checked that the rows have the fields of these types.

export function userOf(model: Delegate, row: Row): AdapterUser {
  const { extra, ...fields } = row
  if (!hasText(model, "extra")) return { ...row, id: String(row["id"]) } as unknown as AdapterUser
  return { ...fromJson(extra), ...fields, id: String(row["id"]) } as unknown as AdapterUser
}

/** NULL is a token that the provider didn't send. */
export function accountOf(model: Delegate, row: Row): AdapterAccount {
  const { extra, user: _user, ...rest } = row
  const fields = Object.entries(hasText(model, "extra") ? rest : { ...rest, extra }).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  const own = hasText(model, "extra") ? fromJson(extra) : {}
  return { ...own, ...Object.fromEntries(fields), userId: String(row["userId"]) } as unknown as AdapterAccount
}

export function sessionOf(row: Row): AdapterSession {
  const { details, user: _user, ...fields } = row
  return { ...fields, userId: String(row["userId"]), ...detailsOf(details) } as unknown as AdapterSession
}

export function authenticatorOf(row: Row): AdapterAuthenticator {
  const { details, ...fields } = row
  const known = { userId: String(row["userId"]), counter: Number(row["counter"]) }
  return { ...fields, ...known, ...detailsOf(details) } as unknown as AdapterAuthenticator
}

/** The user of a session or an account. `undefined` without foreign keys, if the user is gone. */
export function ownerOf(row: Row | null | undefined): Row | undefined {
  const user: unknown = row?.["user"]
  return typeof user === "object" && user !== null ? { ...user } : undefined
}
