import { anything } from "@latchkey/core/options"
import { openAdapter, type SqlAdapter } from "./adapter.js"
import { withValidUrl } from "./connection-lost.js"
import { sqliteDialect } from "./dialect.js"
import { fromLibsql, type LibsqlClient } from "./libsql-driver.js"
import { assertSqlOptions, type SqlAdapterOptions } from "./options.js"
import { PooledDriver, type SqlLibrary } from "./pooled-driver.js"
import { retryWhileBusy } from "./retry-while-busy.js"

export type {
  LibsqlClient,
  LibsqlQueries,
  LibsqlResult,
  LibsqlStatement,
  LibsqlTransaction,
  LibsqlValue,
} from "./libsql-driver.js"

/** Options of {@link libsql}. */
export interface LibsqlOptions extends SqlAdapterOptions {
  /** Timeout in milliseconds for a database that another connection or a transaction has locked. @default 5000 */
  readonly timeout?: number
}

/** What `createClient` of `@libsql/client` accepts, such as `syncUrl` or `encryptionKey`. */
export interface LibsqlConfig {
  /** `file:app.db`, `:memory:`, or the `libsql:` or `https:` URL of a server. */
  readonly url: string
  /** For a server. */
  readonly authToken?: string
  readonly [option: string]: unknown
}

/**
 * Creates an adapter for libSQL and Turso. At the first use, it connects and creates its tables. A file is set to WAL mode. It
 * needs the package `@libsql/client`. You can also pass a client that you created yourself; `close()` closes it.
 *
 * @throws TypeError if there is no such option
 * @throws Error on the first call, if `database` is neither a URL nor a configuration nor a client, or can't be opened
 * @example
 * ```ts
 * import { libsql } from "@latchkey/sql/libsql"
 * const adapter = libsql("file:app.db")
 * ```
 */
export function libsql(database: string | LibsqlConfig | LibsqlClient, options: LibsqlOptions = {}): SqlAdapter {
  assertSqlOptions("libsql", options, { timeout: anything })
  const { timeout = 5000 } = options
  if (isClient(database)) {
    const library = fromLibsql(database, timeout)
    return openAdapter(
      sqliteDialect(() => new PooledDriver(async () => library)),
      options,
    )
  }
  const config = typeof database === "string" ? { url: database } : database
  return openAdapter(
    sqliteDialect(() => new PooledDriver(() => connect(config, timeout))),
    options,
  )
}

function isClient(database: string | LibsqlConfig | LibsqlClient): database is LibsqlClient {
  return typeof database === "object" && database !== null && typeof Reflect.get(database, "execute") === "function"
}

async function connect(config: LibsqlConfig, timeout: number): Promise<SqlLibrary> {
  // Not earlier, because frameworks load the adapter for a build, which has no environment variables.
  if (!config?.url)
    throw new Error("The URL of libSQL is missing. Pass a URL, the options of `createClient`, or a client.")
  const { createClient } = await import("@libsql/client")
  const client = withValidUrl("libSQL", () => createClient({ ...config }))
  if (config.url.startsWith("file:")) {
    await retryWhileBusy(timeout, () => client.execute("pragma journal_mode = WAL"))
  }
  return fromLibsql(client, timeout)
}
