import { anything } from "@latchkey/core/options"
import { openAdapter, type SqlAdapter } from "./adapter.js"
import { withValidUrl } from "./connection-lost.js"
import { mysqlDialect } from "./dialect.js"
import { fromMysql, type MysqlPool } from "./mysql-driver.js"
import { assertSqlOptions, type SqlAdapterOptions } from "./options.js"
import { PooledDriver, type SqlLibrary } from "./pooled-driver.js"

export type { MysqlConnection, MysqlPool, MysqlQuery } from "./mysql-driver.js"

/** A pool of `mysql2`, which has another one with promises. */
export interface MysqlCallbackPool {
  promise(): MysqlPool
}

/** Options of {@link mysql}. */
export interface MysqlOptions extends SqlAdapterOptions {
  /** `mysql://user:password@host:port/database`. */
  readonly connectionString?: string
  /** Your own pool of `mysql2` or `mysql2/promise` instead of a connection string. `close()` ends it. */
  readonly pool?: MysqlPool | MysqlCallbackPool
  /** Timeout for a connection, in milliseconds. Ignored with your own `pool`. @default 5000 */
  readonly connectionTimeoutMillis?: number
  /** Timeout for a query, in milliseconds. Ignored with your own `pool`. @default 10000 */
  readonly queryTimeoutMillis?: number
}

/**
 * Creates an adapter for MySQL 8 or MariaDB 10.6, or newer versions. At the first use, it connects and creates its tables. It
 * needs the package `mysql2`.
 *
 * @throws TypeError if there is no such option
 * @throws Error if the pool is of another library. If neither a connection string nor a pool is given, or the server can't be
 * reached, the first call is rejected
 * @example
 * ```ts
 * import { mysql } from "@latchkey/sql/mysql"
 * const adapter = mysql("mysql://app@localhost/app")
 * ```
 */
export function mysql(options: string | MysqlOptions): SqlAdapter {
  const given = typeof options === "object" ? options : { connectionString: options }
  assertSqlOptions("mysql", given, {
    connectionString: anything,
    pool: anything,
    connectionTimeoutMillis: anything,
    queryTimeoutMillis: anything,
  })
  const open = libraryFor(given)
  return openAdapter(
    mysqlDialect(() => new PooledDriver(open)),
    given,
  )
}

function libraryFor(options: MysqlOptions): () => Promise<SqlLibrary> {
  const pool = options.pool ?? undefined
  if (pool !== undefined) {
    const library = fromMysql(withPromises(pool))
    return async () => library
  }
  return () => connect(options)
}

function withPromises(pool: MysqlPool | MysqlCallbackPool): MysqlPool {
  const found = "promise" in pool ? pool.promise() : pool
  if ("getConnection" in found) return found
  throw new Error("The `pool` isn't a pool of `mysql2`. Pass what `createPool` returns.")
}

async function connect(options: MysqlOptions): Promise<SqlLibrary> {
  const { connectionString = "", connectionTimeoutMillis = 5000, queryTimeoutMillis = 10_000 } = options
  // Not earlier, because frameworks load the adapter for a build, which has no environment variables.
  if (!connectionString)
    throw new Error("The connection string of MySQL is missing. Pass a connection string or a pool.")
  const { createPool } = await import("mysql2/promise")
  const create = () =>
    createPool({ uri: connectionString, connectTimeout: connectionTimeoutMillis, enableKeepAlive: true })
  const library = fromMysql(withValidUrl("MySQL", create), { connectionTimeoutMillis, queryTimeoutMillis })
  // Closing the pool fails if one of its connections can't reach the server, but it ends nevertheless.
  return { ...library, end: () => library.end().catch(() => undefined) }
}
