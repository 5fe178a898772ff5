import type { Adapter } from "@latchkey/core/adapters"
import { DrizzleAdapter } from "@auth/drizzle-adapter"
import { type Database as KyselyTables, KyselyAdapter } from "@auth/kysely-adapter"
import PostgresAdapter from "@auth/pg-adapter"
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import SQLite from "better-sqlite3"
import { drizzle as drizzleSqlite } from "drizzle-orm/better-sqlite3"
import { drizzle as drizzlePg } from "drizzle-orm/node-postgres"
import { Kysely, PostgresDialect, SqliteDialect } from "kysely"
import pg from "pg"
import { createStorage } from "unstorage"
import { inject, onTestFinished } from "vitest"
import {
  kyselyPg,
  kyselySqlite,
  drizzlePg as drizzlePgTables,
  drizzleSqlite as drizzleSqliteTables,
  pgTables,
} from "./schemas.js"

export interface Store {
  readonly name: string
  /** Whether it has the methods for passkeys. */
  readonly hasPasskeys?: true
  /** Makes the adapter over an empty store, which closes at the end of the test. */
  open(): Promise<Adapter>
}

const overPostgres: readonly Store[] = [
  {
    name: "@auth/pg-adapter",
    open: async () => PostgresAdapter(await pool(pgTables)),
  },
  {
    name: "@auth/kysely-adapter over PostgreSQL",
    open: async () => KyselyAdapter(kysely(new PostgresDialect({ pool: await pool(kyselyPg) }))),
  },
  {
    name: "@auth/drizzle-adapter over PostgreSQL",
    hasPasskeys: true,
    open: async () => DrizzleAdapter(drizzlePg(await pool(drizzlePgTables))),
  },
]

const inProcess: readonly Store[] = [
  {
    name: "@auth/kysely-adapter over SQLite",
    open: async () => KyselyAdapter(kysely(new SqliteDialect({ database: sqlite(kyselySqlite) }))),
  },
  {
    name: "@auth/drizzle-adapter over SQLite",
    hasPasskeys: true,
    open: async () => DrizzleAdapter(drizzleSqlite(sqlite(drizzleSqliteTables))),
  },
  {
    name: "@auth/unstorage-adapter",
    hasPasskeys: true,
    open: async () => UnstorageAdapter(createStorage()),
  },
]

/** The published adapters that this machine can run. */
export const stores: readonly Store[] = [...(inject("postgres") === undefined ? [] : overPostgres), ...inProcess]

function kysely(dialect: PostgresDialect | SqliteDialect): Kysely<KyselyTables> {
  return new Kysely<KyselyTables>({ dialect })
}

function sqlite(schema: string): SQLite.Database {
  const database = new SQLite(":memory:")
  onTestFinished(() => void database.close())
  database.pragma("foreign_keys = on")
  database.exec(schema)
  return database
}

let count = 0

/** Connects to a new PostgreSQL schema for this test. */
async function pool(tables: string): Promise<pg.Pool> {
  const name = `interop_${process.pid}_${++count}`
  const connections = new pg.Pool({ connectionString: inject("postgres"), options: `-c search_path=${name}`, max: 4 })
  onTestFinished(async () => {
    await connections.query(`drop schema ${name} cascade`)
    await connections.end()
  })
  await connections.query(`create schema ${name}; ${tables}`)
  return connections
}
