import Database from "better-sqlite3"
import { type Dialect, SqliteAdapter, SqliteDialect } from "kysely"
import { type SqlAdapter, type SqlAdapterOptions, sqlAdapter } from "./adapter.js"
import { type SqliteDatabase, SqliteDriver } from "./sqlite-driver.js"

export interface SqliteOptions extends SqlAdapterOptions {
  /** Milliseconds to wait while another process or a transaction holds the database. Default: 5000. */
  readonly timeout?: number
}

/**
 * An adapter over a SQLite file, or over memory with `":memory:"`. The file is opened and its tables are made at the
 * first use; it is in WAL mode, with foreign keys enforced.
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
    dialectOver(() => open(filename), timeout),
    options,
  )
}

function open(filename: string): SqliteDatabase {
  try {
    return configured(new Database(filename, { timeout: 0 }))
  } catch (cause) {
    if (cause instanceof Database.SqliteError && cause.code.startsWith("SQLITE_BUSY")) throw cause
    throw new Error(`The SQLite database ${filename} cannot be opened: check the path and its rights`, { cause })
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

function dialectOver(open: () => SqliteDatabase, timeout: number): Dialect {
  // Its driver is never made: only its compiler and the like are used, which need no database.
  const kyselys = new SqliteDialect({ database: () => Promise.reject(new Error("The driver opens the database")) })
  return {
    createDriver: () => new SqliteDriver(open, timeout),
    createAdapter: () => new QueueingAdapter(),
    createQueryCompiler: () => kyselys.createQueryCompiler(),
    createIntrospector: (db) => kyselys.createIntrospector(db),
  }
}

/** Kysely would queue by itself, without an end to the waiting; the driver does it. */
class QueueingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
