import { type Dialect, PostgresDialect } from "kysely"
import { type SqlAdapter, type SqlAdapterOptions, sqlAdapter } from "./adapter.js"
import { type PgPool, PostgresDriver } from "./postgres-driver.js"

/** Options of {@link postgres}. */
export interface PostgresOptions extends SqlAdapterOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly connectionString?: string
  /** A `Pool` of `pg`, instead of a connection string. `close()` ends it. */
  readonly pool?: PgPool
  /** Timeout for a connection, in milliseconds. Ignored with your own `pool`. @default 5000 */
  readonly connectionTimeoutMillis?: number
  /** Timeout for a query, in milliseconds. Ignored with your own `pool`. @default 10000 */
  readonly queryTimeoutMillis?: number
  /**
   * Whether to use prepared statements. Set it to `false` if a connection pooler in transaction mode doesn't support them,
   * such as PgBouncer before 1.21. @default true
   */
  readonly prepare?: boolean
}

/**
 * Creates an adapter for PostgreSQL. At the first use, it connects and creates its tables. Without your own `pool`, it needs
 * the package `pg`.
 *
 * @example
 * ```ts
 * import { postgres } from "@latchkey/sql/postgres"
 * const adapter = postgres("postgres://app@localhost/app")
 * ```
 */
export function postgres(options: string | PostgresOptions): SqlAdapter {
  const given = typeof options === "string" ? { connectionString: options } : options
  const { pool, connectionString, prepare = true } = given
  if (pool === undefined && (connectionString === undefined || connectionString === "")) {
    throw new Error("The connection string of PostgreSQL is missing. Pass a connection string or a pool.")
  }
  return sqlAdapter(
    createDialect(async () => pool ?? connect(given), prepare),
    given,
  )
}

async function connect(options: PostgresOptions): Promise<PgPool> {
  const { connectionString, connectionTimeoutMillis = 5000, queryTimeoutMillis = 10_000 } = options
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
  return pool
}

function createDialect(open: () => Promise<PgPool>, prepare: boolean): Dialect {
  // Only the query compiler and similar parts are used, which need no pool.
  const base = new PostgresDialect({ pool: () => Promise.reject(new Error("The driver opens the pool.")) })
  return {
    createDriver: () => new PostgresDriver(open, prepare),
    createAdapter: () => base.createAdapter(),
    createQueryCompiler: () => base.createQueryCompiler(),
    createIntrospector: (db) => base.createIntrospector(db),
  }
}
