import type { Kysely } from "kysely"
import type { CatalogQueries } from "./catalog.js"
import type { Sql } from "./sql.js"

/** What a column contains, whatever its type in a database. Keys are compared byte by byte. */
export type Kind = "key" | "shortKey" | "longKey" | "base64Key" | "text" | "instant" | "boolean" | "number" | "json"

/** How a column stores values. All functions get values other than `null` and `undefined`. */
export interface Storage {
  /** In a list of columns to select. */
  read(column: Sql): Sql
  /** In a list of values, or in a condition. */
  write(parameter: Sql): Sql
  /** Converts a value for a parameter. @throws TypeError if it can't be stored */
  encode(value: unknown): unknown
  decode(stored: unknown): unknown
  /** Whether the column can contain a value. A query for any other value would fail, or find a similar one. */
  holds(value: unknown): boolean
}

/** The types of the columns in tables that this package creates. */
export type ColumnTypes = Readonly<Record<Kind, string>>

/** An insert that changes the row if there is one. */
export interface Upsert {
  readonly insert: Sql
  readonly key: Sql
  /** Assignments in the order in which MySQL has to run them: each one uses only columns that aren't assigned yet. */
  readonly changes: readonly Sql[]
  readonly returning: readonly Sql[]
}

/** A batch of expired rows. */
export interface Batch {
  readonly table: Sql
  readonly keys: readonly Sql[]
  readonly expires: Sql
  /** A parameter: what is deleted expires before it. */
  readonly before: Sql
  /** A parameter: what is deleted doesn't expire before it. */
  readonly after: Sql
  /** A parameter. */
  readonly limit: Sql
}

/** Where databases differ. */
export interface Flavor {
  readonly name: "postgres" | "sqlite" | "mysql"
  /** Whether `insert`, `update` and `delete` can return rows. */
  readonly returning: boolean
  /** Whether a failed migration leaves nothing behind. */
  readonly transactionalDdl: boolean
  /** Locks the selected rows until the end of the transaction. Empty if a transaction locks the whole database. */
  readonly forUpdate: Sql
  /** At the end of `create table`. */
  tableOptions(types: ColumnTypes): Sql
  /** The types as far as they are known without asking the server. */
  readonly ownTypes: ColumnTypes
  /** Asks the server, because the name of a binary collation depends on it. */
  columnTypes(db: Kysely<unknown>): Promise<ColumnTypes>
  /**
   * @param kind `"any"` for a column of the application
   * @param type the type of the column in the database
   */
  storage(kind: Kind | "any", type: string): Storage
  readonly catalog: CatalogQueries
  /** Lets one caller at a time check that a key is free, until the end of the transaction. `undefined`: it can't. */
  readonly keyLock: ((key: string) => Sql) | undefined
  /** Whether a text has exactly this value, whatever the collation of the column. */
  exactly(column: Sql, value: Sql): Sql
  /** Whether two values are equal, or both are NULL. */
  same(left: Sql, right: Sql): Sql
  /** Replaces the fields of a JSON object that `patch` has. `undefined`: the caller merges them. */
  readonly mergeJson: ((column: Sql, patch: Sql) => Sql) | undefined
  upsert(parts: Upsert): Sql
  /** At the end of an insert: skips a row whose key is taken. Empty if only an error says so. */
  readonly skipTaken: Sql
  /** Deletes the rows that expired first. With RETURNING, it returns when as `expired`. */
  deleteBatch(batch: Batch, expired: Sql): Sql
  /** Names of the tables among `names` that exist. */
  existing(names: readonly string[]): Sql
  /** The privileges that the current role lacks on the tables among `names` that exist. `undefined`: not known. */
  denied?(names: readonly string[]): Sql
  /** Returns a row if the server stores names of tables in lowercase. */
  readonly foldsNames?: Sql
  /** The time of the server in milliseconds since 1970. `undefined`: it's the time of this process. */
  readonly clock: Sql | undefined
  /** Returns no row if the session converts dates in columns of type TIMESTAMP as in UTC. `undefined`: it doesn't convert them. */
  readonly convertsDates?: Sql
  /** Lets one process migrate at a time, until the end of the transaction. `undefined`: a transaction is lock enough. */
  readonly migrationLock: Sql | undefined
}
