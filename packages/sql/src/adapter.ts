import type { Adapter, SweepOptions, Swept } from "@latchkey/core/adapters"
import type { RateLimitStore } from "@latchkey/core/types"
import { type Dialect, Kysely } from "kysely"
import { accountMethods } from "./accounts.js"
import { authenticatorMethods } from "./authenticators.js"
import { batchOf, type RunBatch } from "./dialect.js"
import { findFlavor } from "./flavors/find.js"
import { createNames } from "./layouts/names.js"
import { assertLayout } from "./layouts/find.js"
import { check, type Finding } from "./check.js"
import { type Database, migrateLayout, openLayout, plan } from "./database.js"
import { withQueue } from "./one-at-a-time.js"
import { keepOpened } from "./opened.js"
import { sweep } from "./sweep.js"
import { createRateLimitStore } from "./rate-limits.js"
import { createRecordStore, recordMethods, type SqlRecordStore } from "./records.js"
import { type RecordsTable, recordsTable } from "./records-table.js"
import { sessionMethods } from "./sessions.js"
import { assertSqlOptions, type SqlAdapterOptions } from "./options.js"
import { createStore, type Store } from "./store.js"
import { tokenMethods } from "./tokens.js"
import { userMethods } from "./users.js"

/** A dialect of Kysely. Its own types differ between versions, so this one names only the methods. */
export interface SqlDialect {
  createAdapter(): object
  createDriver(): object
  createQueryCompiler(): object
  createIntrospector(db: never): object
}

/** An adapter for an SQL database. */
export interface SqlAdapter extends Required<Adapter> {
  /** Counts sign-in attempts in the database, across all processes. The default store of the rate limits. */
  readonly rateLimits: RateLimitStore
  /** Where modules keep their data. The default for `records` of the configuration. */
  readonly records: SqlRecordStore
  /**
   * Returns the SQL statements that `migrate()` would run, in their order. For the tables of a published adapter, all of them
   * are optional: they add indexes, tables and columns that may be NULL.
   */
  plan(): Promise<readonly string[]>
  /**
   * Creates the tables or migrates them to the current version. You can call it repeatedly and from several processes at once.
   * In PostgreSQL and SQLite, it's one transaction.
   */
  migrate(): Promise<void>
  /** Compares the tables with what the adapter needs, and the clock of the database with that of this process. */
  check(): Promise<readonly Finding[]>
  /**
   * Deletes sessions, verification tokens, rate limits and records that expired, in batches. The engine ignores expired rows, so this only
   * frees space.
   *
   * @returns the numbers of deleted rows
   */
  sweep(options?: SweepOptions): Promise<Swept>
  /** Like `sweep({ before })`. @default now */
  purge(before?: Date): Promise<Swept>
  /** Closes all connections. You can't use the adapter afterwards. */
  close(): Promise<void>
}

/**
 * Creates an adapter for a dialect of Kysely 0.28 or 0.29 for SQLite, PostgreSQL or MySQL. For the common drivers, use `sqlite()`,
 * `postgres()` or `mysql()` of this package. The adapter has all methods and optional capabilities.
 *
 * @throws TypeError if there is no such option
 * @throws RangeError if there is no such layout, or if a name contains a dot
 * @example
 * ```ts
 * import { sqlAdapter } from "@latchkey/sql"
 * import SQLite from "better-sqlite3"
 * import { SqliteDialect } from "kysely"
 * const adapter = sqlAdapter(new SqliteDialect({ database: new SQLite("app.db") }), { prefix: "auth_" })
 * ```
 */
export function sqlAdapter(dialect: SqlDialect, options: SqlAdapterOptions = {}): SqlAdapter {
  assertSqlOptions("sqlAdapter", options, {})
  return openAdapter(dialect, options)
}

export function openAdapter(dialect: SqlDialect, options: SqlAdapterOptions): SqlAdapter {
  // The methods that this package calls are the same in Kysely 0.28 and 0.29.
  const own = withQueue(dialect as Dialect)
  const database = openDatabase(own, batchOf(dialect), options)
  const { db, flavor, hasTransactions } = database
  const records = recordsTable(flavor, database.names)
  const store = createStore({ db, flavor, hasTransactions, records, layout: async () => openLayout(database) })
  const adapter: SqlAdapter = {
    ...adapterMethods(store, records),
    rateLimits: createRateLimitStore(store),
    records: createRecordStore(database, records),
    plan: async () => plan(database),
    migrate: async () => {
      await migrateLayout(database)
      store.forget()
    },
    check: async () => check(database),
    sweep: async (sweepOptions) => sweep(store, sweepOptions),
    purge: async (before = new Date()) => sweep(store, { before }),
    close: () => db.destroy(),
  }
  return keepOpened(adapter, { database, store })
}

function openDatabase(dialect: Dialect, runBatch: RunBatch | undefined, options: SqlAdapterOptions): Database {
  const { prefix = "", autoMigrate = true, layout = "auto", tables } = options
  assertLayout(layout)
  const adapter = dialect.createAdapter()
  return {
    db: new Kysely<unknown>({ dialect }),
    flavor: findFlavor(adapter),
    names: createNames(prefix, tables),
    layout,
    autoMigrate,
    runBatch,
    additional: [],
    hasTransactions: runBatch === undefined && Reflect.get(adapter, "supportsInteractiveTransactions") !== false,
  }
}

function adapterMethods(store: Store, records: RecordsTable): Required<Omit<Adapter, "rateLimits" | "records">> {
  return {
    ...userMethods(store),
    ...accountMethods(store),
    ...sessionMethods(store),
    ...tokenMethods(store),
    ...authenticatorMethods(store),
    // Records are written in it, too.
    transaction: (work) =>
      store.transact((inside) =>
        work({ ...adapterMethods(inside, records), records: recordMethods(records.map, async () => inside) }),
      ),
  }
}
