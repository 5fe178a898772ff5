import { anything } from "@latchkey/core/options"
import { openAdapter, type SqlAdapter } from "./adapter.js"
import { postgresDialect } from "./dialect.js"
import { assertSqlOptions, type SqlAdapterOptions } from "./options.js"
import { PooledDriver, type SqlLibrary } from "./pooled-driver.js"
import { fromPostgresJs, type PostgresJs } from "./postgres-js.js"
import { fromPg, type PgPool } from "./postgres-pg.js"
import { fromPGlite, type PGliteDatabase } from "./postgres-pglite.js"
import { withReplica } from "./replica.js"

export type { PostgresJs, PostgresJsParser, PostgresJsQueries, PostgresJsResult } from "./postgres-js.js"
export type { PgClient, PgPool, PgQuery, PgResult } from "./postgres-pg.js"
export type { PGliteDatabase, PGliteOptions, PGliteQueries, PGliteResult } from "./postgres-pglite.js"

/** A `Pool` of `pg` or `@neondatabase/serverless`, the `sql` function of postgres.js, or a database of PGlite. */
export type PostgresPool = PgPool | PostgresJs | PGliteDatabase

/** Options of {@link postgres}. */
export interface PostgresOptions extends SqlAdapterOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly connectionString?: string
  /**
   * Your own pool instead of a connection string: a `Pool` of `pg` or `@neondatabase/serverless`, the `sql` function of
   * postgres.js, or a database of PGlite. `close()` ends it.
   */
  readonly pool?: PostgresPool
  /**
   * A read replica: its connection string, or a pool like `pool`. Only `getSessionAndUser` reads it. A session that the replica
   * doesn't have yet is read from the primary, and so are all sessions while the replica fails. What this
   * adapter has changed in the last 5 minutes is read from the primary, too. In other processes, a session that has ended is valid
   * until the replica knows. `close()` ends its pool too.
   */
  readonly replica?: string | PostgresPool
  /** Timeout for a connection, in milliseconds. Ignored with your own `pool`. @default 5000 */
  readonly connectionTimeoutMillis?: number
  /** Timeout for a query, in milliseconds. Ignored with your own `pool`. @default 10000 */
  readonly queryTimeoutMillis?: number
  /**
   * Whether to use prepared statements. Set it to `false` if a connection pooler in transaction mode doesn't support them,
   * such as PgBouncer before 1.21. PGlite has none. @default true
   */
  readonly prepare?: boolean
}

/**
 * Creates an adapter for PostgreSQL. At the first use, it connects and creates its tables. Without your own `pool`, it needs
 * the package `pg`.
 *
 * @throws TypeError if there is no such option
 * @throws Error if the pool is of another library. If neither a connection string nor a pool is given, or the server can't be
 * reached, the first call is rejected
 * @example
 * ```ts
 * import { postgres } from "@latchkey/sql/postgres"
 * const adapter = postgres("postgres://app@localhost/app")
 * ```
 */
export function postgres(options: string | PostgresOptions): SqlAdapter {
  const given = typeof options === "object" ? options : { connectionString: options }
  assertSqlOptions("postgres", given, {
    connectionString: anything,
    pool: anything,
    replica: anything,
    connectionTimeoutMillis: anything,
    queryTimeoutMillis: anything,
    prepare: anything,
  })
  const { replica } = given
  return replica === undefined ? open(given) : withReplica(open(given), open(optionsOfReplica(given, replica)))
}

function open(options: PostgresOptions): SqlAdapter {
  const openLibrary = libraryFor(options)
  return openAdapter(
    postgresDialect(() => new PooledDriver(openLibrary)),
    options,
  )
}

function optionsOfReplica(options: PostgresOptions, replica: string | PostgresPool): PostgresOptions {
  const { pool: _pool, connectionString: _connectionString, replica: _replica, ...others } = options
  const target = typeof replica === "string" ? { connectionString: replica } : { pool: replica }
  // A replica is read-only.
  return { ...others, ...target, autoMigrate: false }
}

function libraryFor(options: PostgresOptions): () => Promise<SqlLibrary> {
  const { prepare = true } = options
  const pool = options.pool ?? undefined
  if (pool !== undefined) {
    const library = libraryOf(pool, prepare)
    return async () => library
  }
  return () => connect(options)
}

/** Recognizes a library by its methods, because `instanceof` fails if the application has another copy of it. */
function libraryOf(pool: PostgresPool, prepare: boolean): SqlLibrary {
  if (typeof pool === "function" && "unsafe" in pool && "begin" in pool) return fromPostgresJs(pool, prepare)
  if (typeof pool === "object" && "connect" in pool) return fromPg(pool, prepare)
  if (typeof pool === "object" && "transaction" in pool) return fromPGlite(pool)
  const pools = "a `Pool` of `pg` or `@neondatabase/serverless`, the `sql` of postgres.js, or a database of PGlite"
  throw new Error(`The \`pool\` can't run transactions. Pass ${pools}.`)
}

async function connect(options: PostgresOptions): Promise<SqlLibrary> {
  const { connectionString, connectionTimeoutMillis = 5000, queryTimeoutMillis = 10_000, prepare = true } = options
  // Not earlier, because frameworks load the adapter for a build, which has no environment variables.
  if (!connectionString)
    throw new Error("The connection string of PostgreSQL is missing. Pass a connection string or a pool.")
  const { default: pg } = await import("pg")
  const pool = new pg.Pool({
    connectionString,
    connectionTimeoutMillis,
    query_timeout: queryTimeoutMillis,
    keepAlive: true,
  })
  // Without listeners, a broken connection would end the process. The pool closes it, and its query rejects.
  pool.on("error", () => {})
  pool.on("connect", (client) => client.on("error", () => {}))
  return fromPg(pool, prepare)
}
