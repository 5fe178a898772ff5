import type { Adapter } from "@latchkey/core/adapters"
import type { RateLimitStore } from "@latchkey/core/types"
import { type Dialect, Kysely } from "kysely"
import { accountMethods } from "./accounts.js"
import { authenticatorMethods } from "./authenticators.js"
import { postgresCodec, sqliteCodec } from "./codec.js"
import { migrate } from "./migrate.js"
import { withQueue } from "./one-at-a-time.js"
import { TablePrefix } from "./prefix.js"
import { purge } from "./purge.js"
import { createRateLimitStore } from "./rate-limits.js"
import type { Schema } from "./schema.js"
import { sessionMethods } from "./sessions.js"
import { createStore, type Store } from "./store.js"
import { tokenMethods } from "./tokens.js"
import { userMethods } from "./users.js"

/** Options of every SQL adapter. */
export interface SqlAdapterOptions {
  /** Prefix for the names of all tables and indexes, such as `"auth_"`. @default "" */
  readonly prefix?: string
  /** Creates and migrates the tables at the first use. With `false`, call `migrate()` yourself. @default true */
  readonly autoMigrate?: boolean
}

/** A dialect of Kysely. Its own types differ between versions, so this one names only the methods. */
export interface SqlDialect {
  createAdapter(): object
  createDriver(): object
  createQueryCompiler(): object
  createIntrospector(db: never): object
}

/** An adapter for SQLite or PostgreSQL. */
export interface SqlAdapter extends Required<Adapter> {
  /** Counts sign-in attempts in the database, across all processes. The default store of the rate limits. */
  readonly rateLimits: RateLimitStore
  /**
   * Creates the tables or migrates them to the current version, in one transaction. You can call it repeatedly and from
   * several processes at once.
   */
  migrate(): Promise<void>
  /**
   * Deletes sessions, verification tokens and rate limits that expired before `before` (default: now). The engine ignores
   * expired rows, so this only frees space.
   *
   * @returns the numbers of deleted rows
   */
  purge(before?: Date): Promise<{ sessions: number; verificationTokens: number; rateLimits: number }>
  /** Closes all connections. You can't use the adapter afterwards. */
  close(): Promise<void>
}

/**
 * Creates an adapter for a dialect of SQLite or PostgreSQL of Kysely 0.28 or 0.29. For the common drivers, use `sqlite()` or `postgres()` of
 * this package. The adapter has all methods and optional capabilities.
 *
 * @example
 * ```ts
 * import { sqlAdapter } from "@latchkey/sql"
 * import SQLite from "better-sqlite3"
 * import { SqliteDialect } from "kysely"
 * const adapter = sqlAdapter(new SqliteDialect({ database: new SQLite("app.db") }), { prefix: "auth_" })
 * ```
 */
export function sqlAdapter(dialect: SqlDialect, options: SqlAdapterOptions = {}): SqlAdapter {
  const { prefix = "", autoMigrate = true } = options
  // The methods that this package calls are the same in Kysely 0.28 and 0.29.
  const own = withQueue(dialect as Dialect)
  const db = new Kysely<Schema>({ dialect: own, plugins: prefix === "" ? [] : [new TablePrefix(prefix)] })
  const flavor = own.createAdapter().supportsTransactionalDdl ? "postgres" : "sqlite"
  const runMigrations = () => migrate({ db, flavor, prefix })
  const store = createStore({
    db,
    codec: flavor === "postgres" ? postgresCodec : sqliteCodec,
    ready: autoMigrate ? once(runMigrations) : () => undefined,
  })
  return {
    ...adapterMethods(store),
    rateLimits: createRateLimitStore(store),
    migrate: runMigrations,
    purge: (before = new Date()) => purge(store, before),
    close: () => db.destroy(),
  }
}

function adapterMethods(store: Store): Required<Omit<Adapter, "rateLimits">> {
  return {
    ...userMethods(store),
    ...accountMethods(store),
    ...sessionMethods(store),
    ...tokenMethods(store),
    ...authenticatorMethods(store),
    transaction: (work) => store.transact((inside) => work(adapterMethods(inside))),
  }
}

/** Runs `work` until it succeeds once. After a failure, the next call tries again: the database may be available now. */
function once(work: () => Promise<void>): () => Promise<void> | undefined {
  let state: "idle" | "done" | Promise<void> = "idle"
  return () => {
    if (state === "done") return undefined
    if (state !== "idle") return state
    state = work().then(
      () => {
        state = "done"
      },
      (error: unknown) => {
        state = "idle"
        throw error
      },
    )
    return state
  }
}
