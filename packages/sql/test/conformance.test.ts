import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { allCapabilities, testAdapter } from "@latchkey/adapter-kit"
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import Database from "better-sqlite3"
import { PostgresDialect, SqliteDialect } from "kysely"
import { SqliteDialect as NewerSqliteDialect } from "kysely-0.29"
import pg from "pg"
import { afterAll, describe, inject, test } from "vitest"
import { newDatabase } from "./databases.js"

function conforms(name: string, make: () => SqlAdapter | Promise<SqlAdapter>): void {
  const made: SqlAdapter[] = []
  const create = async () => {
    const adapter = await make()
    made.push(adapter)
    return adapter
  }
  testAdapter({ name, create, capabilities: allCapabilities, webauthn: true }, { describe, test })
  afterAll(async () => {
    for (const adapter of made) await adapter.close()
  })
}

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

describe.skipIf(inject("postgres") === undefined)("on a PostgreSQL server", () => {
  conforms("PostgreSQL", async () => postgres(await newDatabase("conformance")))
  conforms("PostgreSQL, without prepared statements, with a pool and a prefix", async () => {
    const pool = new pg.Pool({ connectionString: await newDatabase("conformance_pool") })
    return postgres({ pool, prepare: false, prefix: "auth_" })
  })
  conforms("PostgreSQL through Kysely's own dialect", async () => {
    const pool = new pg.Pool({ connectionString: await newDatabase("conformance_dialect") })
    return sqlAdapter(new PostgresDialect({ pool }))
  })
})
