import { anything } from "@latchkey/core/options"
import { openAdapter, type SqlAdapter } from "./adapter.js"
import { sqliteDialect } from "./dialect.js"
import { assertSqlOptions, type SqlAdapterOptions } from "./options.js"
import { isBusy } from "./retry-while-busy.js"
import { type SqliteDatabase, SqliteDriver } from "./sqlite-driver.js"
import { findSqlite } from "./sqlite-open.js"

export type { SqliteDatabase, SqliteStatement } from "./sqlite-driver.js"

/** Options of {@link sqlite}. */
export interface SqliteOptions extends SqlAdapterOptions {
  /** Timeout in milliseconds for a database that another process or a transaction has locked. @default 5000 */
  readonly timeout?: number
}

/**
 * Creates an adapter for a SQLite file, or for a database in memory with `":memory:"`. At the first use, it opens the file in
 * WAL mode, enables foreign keys and creates its tables. It uses the SQLite of Node 22.13, Bun or Deno 2.2, or of newer
 * versions. On Node 20, install `better-sqlite3` 12.
 *
 * You can also pass a database that you opened with `node:sqlite`, `bun:sqlite` or `better-sqlite3`. The adapter enables
 * foreign keys in it, and `close()` closes it.
 *
 * @throws TypeError if there is no such option
 * @throws Error if `database` is neither a file name nor such a database. A file that can't be opened, or whose name is missing,
 * rejects the first call
 * @example
 * ```ts
 * import { sqlite } from "@latchkey/sql/sqlite"
 * const adapter = sqlite("app.db")
 * ```
 */
export function sqlite(database: string | SqliteDatabase, options: SqliteOptions = {}): SqlAdapter {
  assertSqlOptions("sqlite", options, { timeout: anything })
  const { timeout = 5000 } = options
  if (typeof database === "object") assertDatabase(database)
  return openAdapter(
    sqliteDialect(
      () =>
        new SqliteDriver(() => (typeof database === "object" ? withForeignKeys(database) : open(database)), timeout),
    ),
    options,
  )
}

function assertDatabase(database: unknown): void {
  const isDatabase =
    typeof database === "object" && database !== null && typeof Reflect.get(database, "prepare") === "function"
  if (isDatabase) return
  throw new Error(
    "`sqlite` needs a file name, or a database of `node:sqlite`, `bun:sqlite` or `better-sqlite3`. Pass one of them.",
  )
}

async function open(filename: string): Promise<SqliteDatabase> {
  // Not earlier, because frameworks load the adapter for a build, which has no environment variables.
  if (!filename) throw new Error("The file name of SQLite is missing. Pass one, or `:memory:`.")
  const openFile = await findSqlite()
  try {
    return configured(openFile(filename))
  } catch (cause) {
    if (isBusy(cause)) throw cause
    throw new Error(`Can't open the SQLite database ${filename}. Check the path and its permissions.`, { cause })
  }
}

function configured(database: SqliteDatabase): SqliteDatabase {
  try {
    // The driver waits without blocking the event loop.
    database.prepare("pragma busy_timeout = 0").all()
    database.prepare("pragma journal_mode = WAL").all()
    return withForeignKeys(database)
  } catch (error) {
    database.close()
    throw error
  }
}

function withForeignKeys(database: SqliteDatabase): SqliteDatabase {
  database.prepare("pragma foreign_keys = ON").run()
  return database
}
