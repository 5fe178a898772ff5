import { type Dialect, PostgresDialect } from "kysely"
import { type SqlAdapter, type SqlAdapterOptions, sqlAdapter } from "./adapter.js"
import { type PgPool, PostgresDriver } from "./postgres-driver.js"

export interface PostgresOptions extends SqlAdapterOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly connectionString?: string
  /** A pool of your own (`new Pool()` of `pg`), in place of a connection string. `close()` ends it. */
  readonly pool?: PgPool
  /** Milliseconds to wait for a connection; for the pool that is made from a connection string. Default: 5000. */
  readonly connectionTimeoutMillis?: number
  /** Milliseconds to wait for an answer; for the pool that is made from a connection string. Default: 10000. */
  readonly queryTimeoutMillis?: number
  /**
   * Whether statements are prepared, once a connection. Default: `true`; say `false` behind a pooler that hands out
   * connections statement by statement and knows nothing of prepared ones (PgBouncer before 1.21).
   */
  readonly prepare?: boolean
}

/**
 * An adapter over PostgreSQL. It connects at the first use, and makes its tables then; it needs the package `pg` unless
 * you bring a pool.
 *
 * @example
 * ```ts
 * import { postgres } from "@latchkey/sql/postgres"
 * const adapter = postgres("postgres://app@localhost/app")
 * ```
 */
export function postgres(options: string | PostgresOptions): SqlAdapter {
  const chosen = typeof options === "string" ? { connectionString: options } : options
  const { pool, connectionString, prepare = true } = chosen
  if (pool === undefined && (connectionString === undefined || connectionString === "")) {
    throw new Error("PostgreSQL has no address: pass a connection string or a pool")
  }
  return sqlAdapter(
    dialectOver(async () => pool ?? connect(chosen), prepare),
    chosen,
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
  // The pool drops a connection that breaks, and a query that it breaks is rejected. Without listeners the process ends.
  pool.on("error", () => {})
  pool.on("connect", (client) => client.on("error", () => {}))
  return pool
}

function dialectOver(open: () => Promise<PgPool>, prepare: boolean): Dialect {
  // Its driver is never made: only its compiler and the like are used, which need no pool.
  const kyselys = new PostgresDialect({ pool: () => Promise.reject(new Error("The driver opens the pool")) })
  return {
    createDriver: () => new PostgresDriver(open, prepare),
    createAdapter: () => kyselys.createAdapter(),
    createQueryCompiler: () => kyselys.createQueryCompiler(),
    createIntrospector: (db) => kyselys.createIntrospector(db),
  }
}
