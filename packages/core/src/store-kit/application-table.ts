import type { AdapterAuthenticator, VerificationToken } from "../model/adapter.js"
import type { AdapterTable, LastRows } from "./adapter-table.js"
import { detailsOf, fieldsFromJson, fieldsToJson, mergeDetails } from "./stored-values.js"

/** The columns that the tables of an application need. */
export const neededColumns = {
  user: ["id", "email", "emailVerified"],
  account: ["userId", "type", "provider", "providerAccountId"],
  session: ["sessionToken", "userId", "expires"],
  verificationToken: ["identifier", "token", "expires"],
  authenticator: [
    "credentialID",
    "userId",
    "providerAccountId",
    "credentialPublicKey",
    "counter",
    "credentialDeviceType",
    "credentialBackedUp",
  ],
  record: ["kind", "key", "owner", "index1", "index2", "data", "version", "expiresAt"],
} as const

/** A row as the database has it. */
export type StoredRow = Readonly<Record<string, unknown>>

/** A text to replace. */
export interface TextChange {
  readonly column: "details" | "extra"
  readonly before: unknown
  readonly after: string
}

/** A table of the application, of which only some columns are known. */
export interface ApplicationTable {
  /** For error messages. */
  readonly name?: string
  hasColumn(name: string): boolean
  /** Whether the table has this text column for JSON. */
  hasText(column: TextChange["column"]): boolean
  /** The value for a column, such as a number for an id. */
  convert(name: string, value: unknown): unknown
  insert(row: StoredRow): Promise<StoredRow>
  find(key: StoredRow, last?: LastRows): Promise<StoredRow[]>
  update(key: StoredRow, changes: StoredRow): Promise<StoredRow | undefined>
  /** Changes a text if it's still the given one. Returns whether it was. */
  replace(key: StoredRow, change: TextChange): Promise<boolean>
  take(key: StoredRow): Promise<StoredRow | undefined>
  remove(key: StoredRow): Promise<unknown>
}

/**
 * Stores entities in a table of the application. Details are JSON in its text column `details`. Fields without a column are JSON
 * in the text column that `rest` names, or aren't stored.
 *
 * @example
 * ```ts
 * import { type AdapterAccount, type ApplicationTable, entitiesIn } from "@latchkey/core/adapters"
 * export const accountsIn = (table: ApplicationTable, decode: () => AdapterAccount) =>
 *   entitiesIn(table, { decode, rest: "extra" })
 * ```
 */
export function entitiesIn<Entity extends object>(
  table: ApplicationTable,
  { decode, rest }: { readonly decode: (row: StoredRow) => Entity; readonly rest?: "extra" },
): AdapterTable<Entity> {
  const keepsRest = rest !== undefined && table.hasText(rest)
  return {
    insert: async (fields) => {
      const { columns, others } = split(table, fields)
      const hasRest = keepsRest && Object.keys(others).length > 0
      return decode(await table.insert(hasRest ? { ...columns, [rest]: fieldsToJson(others) } : columns))
    },
    find: async (key, last) => (await table.find(rowOf(key), last)).map(decode),
    update: async (key, changes) => {
      const { columns, others } = split(table, changes)
      if (keepsRest && Object.keys(others).length > 0) {
        const merge = (before: unknown) => fieldsToJson({ ...fieldsFromJson(before), ...others })
        await changeText(table, { key: rowOf(key), column: rest, change: merge })
      }
      const row = await table.update(rowOf(key), columns)
      return row && decode(row)
    },
    take: async (key) => {
      const row = await table.take(rowOf(key))
      return row && decode(row)
    },
    remove: async (key) => void (await table.remove(rowOf(key))),
    ...(table.hasText("details") && {
      describe: async (key: Partial<Entity>, details: object) => {
        const change = (before: unknown) => mergeDetails(before, details)
        await changeText(table, { key: rowOf(key), column: "details", change })
      },
    }),
  }
}

/**
 * The tokens of email links in a table of the application. It may have an id, which a token doesn't have.
 *
 * @example
 * ```ts
 * import { type ApplicationTable, tokenMethods, tokensIn } from "@latchkey/core/adapters"
 * export const methods = (table: ApplicationTable) => tokenMethods(tokensIn(table))
 * ```
 */
export function tokensIn(table: ApplicationTable): AdapterTable<VerificationToken> {
  // The columns have these types.
  const decode = ({ identifier, token, expires }: StoredRow) => ({ identifier, token, expires }) as VerificationToken
  return entitiesIn(table, { decode })
}

/**
 * The passkeys in a table of the application.
 *
 * @example
 * ```ts
 * import { type ApplicationTable, authenticatorMethods, authenticatorsIn } from "@latchkey/core/adapters"
 * export const methods = (table: ApplicationTable) => authenticatorMethods(authenticatorsIn(table))
 * ```
 */
export function authenticatorsIn(table: ApplicationTable): AdapterTable<AdapterAuthenticator> {
  const decode = ({ details, ...columns }: StoredRow) => {
    const known = { userId: String(columns["userId"]), counter: Number(columns["counter"]) }
    // The other columns have the types of the fields.
    return { ...columns, ...known, ...detailsOf(details) } as unknown as AdapterAuthenticator
  }
  return entitiesIn(table, { decode })
}

function rowOf(fields: object): StoredRow {
  return { ...fields }
}

/** The fields with a column, and the others. A field with the name of the column for JSON doesn't overwrite it. */
function split(table: ApplicationTable, fields: object): { readonly columns: StoredRow; readonly others: StoredRow } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const isColumn = ([name]: readonly [string, unknown]) =>
    table.hasColumn(name) && !(name === "extra" && table.hasText("extra"))
  const columns = given.filter(isColumn).map(([name, value]) => [name, table.convert(name, value)])
  return {
    columns: Object.fromEntries(columns),
    others: Object.fromEntries(given.filter((entry) => !isColumn(entry))),
  }
}

/** Each attempt that fails is another one's success. */
const maxAttempts = 100

interface JsonChange {
  readonly key: StoredRow
  readonly column: TextChange["column"]
  readonly change: (before: unknown) => string
}

/**
 * Changes JSON without a transaction, which not every driver has. A change by another process in between makes it read again. An
 * unknown row stays unknown.
 */
async function changeText(table: ApplicationTable, { key, column, change }: JsonChange): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const [row] = await table.find(key)
    if (row === undefined) return
    const before = row[column]
    const after = change(before)
    if (after === before || (await table.replace(key, { column, before, after }))) return
  }
  throw new Error(`Other requests keep changing ${sameRow(table.name)}. Try again later.`)
}

function sameRow(table: string | undefined): string {
  return table === undefined ? "the same row" : `the same row of \`${table}\``
}

/** What {@link takeRow} needs. */
export interface RowTaking {
  readonly key: StoredRow
  /** The name of the table, for error messages. */
  readonly table?: string
  readonly find: () => Promise<StoredRow | undefined>
  /** Deletes the rows with these values, and returns their number. */
  readonly remove: (values: StoredRow) => Promise<number>
}

/**
 * Deletes a row and returns it, in a database that can't do both at once. Of parallel calls, several may read the row, but only one
 * deletes it. If another request replaced it, the new row isn't deleted, but read again.
 *
 * @example
 * ```ts
 * import { type RowTaking, takeRow } from "@latchkey/core/adapters"
 * export const take = (taking: RowTaking) => takeRow(taking)
 * ```
 */
export async function takeRow({ key, table, find, remove }: RowTaking): Promise<StoredRow | undefined> {
  let before: StoredRow | undefined
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const row = await find()
    if (row === undefined) return undefined
    const read = versionOf(row)
    // A column with microseconds doesn't equal the date that was read.
    const isUnchanged = before !== undefined && isSame(read, before)
    if ((await remove(isUnchanged ? key : { ...read, ...key })) > 0) return row
    before = read
  }
  throw new Error(`Other requests keep replacing ${sameRow(table)}. Try again later.`)
}

/** What differs if a row was replaced. */
function versionOf(row: StoredRow): StoredRow {
  const entries = ["id", "userId", "expires"].map((name) => [name, row[name]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null))
}

function isSame(one: StoredRow, other: StoredRow): boolean {
  const plain = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value)
  return Object.entries(one).every(([name, value]) => plain(value) === plain(other[name]))
}
