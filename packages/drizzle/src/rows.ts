import type { AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser } from "@latchkey/core/adapters"
import { detailsOf, fromJson, toColumn, toJson } from "./columns.js"
import type { Row } from "./database.js"
import { hasText, type Model } from "./tables.js"

/** Splits fields into columns, and into `extra` if the table has that column. Other fields can't be stored. */
export function rowOf(model: Model, fields: object): Row {
  const { columns, rest } = split(model, fields)
  return hasText(model, "extra") && Object.keys(rest).length > 0 ? { ...columns, extra: toJson(rest) } : columns
}

/** The fields with a column, and the others. */
export function split(model: Model, fields: object): { readonly columns: Row; readonly rest: Row } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const isColumn = ([name]: readonly [string, unknown]) => name !== reserved(model) && model.columns[name] !== undefined
  const columns = given.filter(isColumn).map(([name, value]) => [name, converted(model, name, value)])
  return {
    columns: Object.fromEntries(columns),
    rest: Object.fromEntries(given.filter((entry) => !isColumn(entry))),
  }
}

/** The column with JSON, which fields of that name don't overwrite. */
function reserved(model: Model): string | undefined {
  return hasText(model, "extra") ? "extra" : undefined
}

/** Ids may be numbers in the database. Other values have the type of their column. */
function converted({ columns }: Model, name: string, value: unknown): unknown {
  const column = columns[name]
  if (column === undefined || (name !== "id" && name !== "userId")) return value
  const id = toColumn(column, value)
  if (id === undefined) {
    throw new TypeError(
      `The ${name} can't be stored in a column of type ${column.getSQLType()}. Use an id of that type.`,
    )
  }
  return id
}

export function userOf(row: Row): AdapterUser {
  const { extra, ...columns } = row
  const fields = typeof extra === "string" || extra === null ? columns : row
  // `modelsOf` checked the columns.
  return { ...fromJson(extra), ...fields, id: String(row["id"]) } as unknown as AdapterUser
}

/** NULL is a token that the provider didn't send. */
export function accountOf(row: Row): AdapterAccount {
  const { extra, ...columns } = row
  const fields = Object.entries(columns).filter(([, value]) => value !== null)
  const account = { ...fromJson(extra), ...Object.fromEntries(fields), userId: String(row["userId"]) }
  return account as unknown as AdapterAccount
}

export function sessionOf(row: Row): AdapterSession {
  const { details, ...columns } = row
  return { ...columns, userId: String(row["userId"]), ...detailsOf(details) } as unknown as AdapterSession
}

export function authenticatorOf(row: Row): AdapterAuthenticator {
  const { details, ...columns } = row
  const known = { userId: String(row["userId"]), counter: Number(row["counter"]) }
  return { ...columns, ...known, ...detailsOf(details) } as unknown as AdapterAuthenticator
}
