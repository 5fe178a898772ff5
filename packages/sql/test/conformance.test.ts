import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { sqlAdapter } from "@latchkey/sql"
import { sqlite } from "@latchkey/sql/sqlite"
import Database from "better-sqlite3"
import { SqliteDialect } from "kysely"
import { SqliteDialect as NewerSqliteDialect } from "kysely-0.29"
import { afterAll } from "vitest"
import { conforms } from "./conforms.js"

const folder = mkdtempSync(join(tmpdir(), "latchkey-sql-"))
afterAll(() => rmSync(folder, { recursive: true }))

conforms("SQLite in memory", () => sqlite(":memory:"))
conforms("SQLite in a file", () => sqlite(join(folder, "a.db")))
conforms("SQLite in a database of better-sqlite3", () => sqlite(new Database(":memory:")))
conforms("SQLite in a database of node:sqlite", () => sqlite(new DatabaseSync(":memory:")))
conforms("SQLite through the dialect of Kysely 0.29", () => {
  const database = new Database(":memory:")
  database.pragma("foreign_keys = ON")
  return sqlAdapter(new NewerSqliteDialect({ database }))
})
conforms("SQLite through Kysely's own dialect", () => {
  const database = new Database(":memory:")
  database.pragma("foreign_keys = ON")
  return sqlAdapter(new SqliteDialect({ database }), { prefix: "auth_" })
})
