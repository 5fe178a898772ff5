import type { Adapter } from "@latchkey/core/adapters"
import type { RateLimitStore } from "@latchkey/core/types"
import { type Dialect, Kysely, PostgresAdapter } from "kysely"
import { accountMethods } from "./accounts.js"
import { authenticatorMethods } from "./authenticators.js"
import { postgresCodec, sqliteCodec } from "./codec.js"
import { migrate } from "./migrate.js"
import { TablePrefix } from "./prefix.js"
import { purge } from "./purge.js"
import { rateLimitsOver } from "./rate-limits.js"
import type { Schema } from "./schema.js"
import { sessionMethods } from "./sessions.js"
import { type Store, storeOver } from "./store.js"
import { tokenMethods } from "./tokens.js"
import { userMethods } from "./users.js"

export interface SqlAdapterOptions {
  /** Put before the name of every table. Default: nothing. */
  readonly prefix?: string
  /** Whether the first use brings the tables up to date. Default: `true`; with `false` call `migrate()` yourself. */
  readonly autoMigrate?: boolean
}

export interface SqlAdapter extends Required<Adapter> {
  /** Counts attempts in the same database, for all processes that use it: `rateLimit: { store: adapter.rateLimits }`. */
  readonly rateLimits: RateLimitStore
  /**
   * Creates the tables, or brings them up to date. It may be called again and by several processes at once; it happens
   * as a whole or not at all.
   */
  migrate(): Promise<void>
  /**
   * Deletes sessions, verification tokens and counts of attempts that expired before `before` (default: now). The engine
   * never uses expired rows: this is for space.
   *
   * @returns how many were deleted
   */
  purge(before?: Date): Promise<{ sessions: number; verificationTokens: number; rateLimits: number }>
  /** Closes the connections. The adapter cannot be used after it. */
  close(): Promise<void>
}

/**
 * An adapter over any SQLite or PostgreSQL that Kysely has a dialect for; `sqlite()` and `postgres()` of this package
 * make the usual ones. It has every method and every optional capability of the contract.
 *
 * @example
 * ```ts
 * import { sqlAdapter } from "@latchkey/sql"
 * import SQLite from "better-sqlite3"
 * import { SqliteDialect } from "kysely"
 * const adapter = sqlAdapter(new SqliteDialect({ database: new SQLite("app.db") }), { prefix: "auth_" })
 * ```
 */
export function sqlAdapter(dialect: Dialect, options: SqlAdapterOptions = {}): SqlAdapter {
  const { prefix = "", autoMigrate = true } = options
  const db = new Kysely<Schema>({ dialect, plugins: prefix === "" ? [] : [new TablePrefix(prefix)] })
  const flavor = dialect.createAdapter() instanceof PostgresAdapter ? "postgres" : "sqlite"
  const bringUpToDate = () => migrate({ db, flavor, prefix })
  const store = storeOver({
    db,
    codec: flavor === "postgres" ? postgresCodec : sqliteCodec,
    ready: autoMigrate ? once(bringUpToDate) : () => undefined,
  })
  return {
    ...methodsOver(store),
    rateLimits: rateLimitsOver(store),
    migrate: bringUpToDate,
    purge: (before = new Date()) => purge(store, before),
    close: () => db.destroy(),
  }
}

function methodsOver(store: Store): Required<Adapter> {
  return {
    ...userMethods(store),
    ...accountMethods(store),
    ...sessionMethods(store),
    ...tokenMethods(store),
    ...authenticatorMethods(store),
    transaction: (work) => store.transact((inside) => work(methodsOver(inside))),
  }
}

/** Succeeds once; a failure is tried again by the next call, as the database may have been down. */
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
