import Database from "better-sqlite3"
import { type Dialect, SqliteAdapter, SqliteDialect } from "kysely"
import { type SqlAdapter, type SqlAdapterOptions, sqlAdapter } from "./adapter.js"
import { type SqliteDatabase, SqliteDriver } from "./sqlite-driver.js"

/** Options of {@link sqlite}. */
export interface SqliteOptions extends SqlAdapterOptions {
  /** Timeout in milliseconds for a database that another process or a transaction has locked. @default 5000 */
  readonly timeout?: number
}

/**
 * Creates an adapter for a SQLite file, or for a database in memory with `":memory:"`. At the first use, it opens the file in
 * WAL mode, enables foreign keys and creates its tables. It needs Node 22 or later.
 *
 * @example
 * ```ts
 * import { sqlite } from "@latchkey/sql/sqlite"
 * const adapter = sqlite("app.db")
 * ```
 */
export function sqlite(filename: string, options: SqliteOptions = {}): SqlAdapter {
  const { timeout = 5000 } = options
  return sqlAdapter(
    createDialect(() => open(filename), timeout),
    options,
  )
}

function open(filename: string): SqliteDatabase {
  try {
    return configured(new Database(filename, { timeout: 0 }))
  } catch (cause) {
    if (cause instanceof Database.SqliteError && cause.code.startsWith("SQLITE_BUSY")) throw cause
    throw new Error(`Can't open the SQLite database ${filename}. Check the path and its permissions.`, { cause })
  }
}

function configured(database: Database.Database): SqliteDatabase {
  try {
    database.pragma("journal_mode = WAL")
    database.pragma("foreign_keys = ON")
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function createDialect(open: () => SqliteDatabase, timeout: number): Dialect {
  // Only the query compiler and similar parts are used, which need no database.
  const base = new SqliteDialect({ database: () => Promise.reject(new Error("The driver opens the database.")) })
  return {
    createDriver: () => new SqliteDriver(open, timeout),
    createAdapter: () => new QueueingAdapter(),
    createQueryCompiler: () => base.createQueryCompiler(),
    createIntrospector: (db) => base.createIntrospector(db),
  }
}

/** Turns off the queue of Kysely, which has no timeout. The driver has its own queue. */
class QueueingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
