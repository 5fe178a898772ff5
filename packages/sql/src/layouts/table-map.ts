import type { Storage } from "../flavors/flavor.js"

export const applyAdvice = "Run `npx latchkey db apply`, or `migrate()` of the adapter."

/** Names of the tables in the options and in the code. */
export type TableName = "users" | "accounts" | "sessions" | "verificationTokens" | "authenticators" | "rateLimits"

/** Where a field of the adapter contract is stored. */
export interface Column {
  readonly field: string
  readonly name: string
  readonly storage: Storage
  /** A JSON object, of which an update changes only the given fields. */
  readonly merges?: true
  /** Not returned if it's NULL. */
  readonly optional?: true
  /** The database assigns its value, so an insert leaves it out. */
  readonly generated?: true
  /** Its collation treats different texts as equal, such as `a` and `A`. */
  readonly inexact?: true
  /** The value for an insert that has none. */
  readonly onInsert?: () => unknown
  /** The value for an update that has none. */
  readonly onUpdate?: () => unknown
}

/** Where the rows of one kind are stored. */
export interface TableMap {
  readonly name: string
  readonly columns: readonly Column[]
  /** Contains the fields without a column, as JSON. Without it, they are dropped. */
  readonly rest: Column | undefined
  /** Fields that neither have a column nor belong into `rest`. */
  readonly dropped: ReadonlySet<string>
  /** Keys that have no unique index. Each is a list of fields. */
  readonly guards: readonly (readonly string[])[]
  /** How to create the table, which the database doesn't have. */
  readonly missing?: string
}

export interface Layout {
  /** Whether this package created the tables. */
  readonly isOwn: boolean
  readonly tables: Readonly<Record<TableName, TableMap>>
  /** Tables whose rows the database doesn't delete with their user. */
  readonly orphans: readonly ("accounts" | "sessions" | "authenticators")[]
}

export const tableNames: readonly TableName[] = [
  "users",
  "accounts",
  "sessions",
  "verificationTokens",
  "authenticators",
  "rateLimits",
]
