import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import type { SqlAdapter } from "@latchkey/sql"

/** The content of the tables. */
export interface Rows {
  readonly users: readonly { id: string; email: string | null; email_verified: unknown }[]
  readonly accounts: readonly { provider: string; provider_account_id: string; user_id: string }[]
  readonly sessions: readonly { session_token: string; user_id: string }[]
  readonly verification_tokens: readonly { identifier: string; token: string }[]
}

const tables = ["verification_tokens", "sessions", "accounts", "users"] as const

export type Kind = "SQLite" | "PostgreSQL"

/** A database that outlives the processes that use it. */
export interface Database {
  readonly kind: Kind
  /** A path or a URL. */
  readonly address: string
  /** Reads the tables over a separate connection. */
  rows(): Promise<Rows>
  clear(): Promise<void>
  /** Resolves when no other process has an open transaction. */
  released(): Promise<void>
  close(): Promise<void>
}

export function openStore({ kind, address }: Pick<Database, "kind" | "address">): SqlAdapter {
  return kind === "SQLite" ? sqlite(address, { timeout: 30_000 }) : postgres(address)
}

type Query = (text: string) => Promise<readonly unknown[]>

async function everything(query: Query): Promise<Rows> {
  const entries: (readonly [string, readonly unknown[]])[] = []
  for (const table of tables) entries.push([table, await query(`select * from ${table}`)])
  // The columns are those of packages/sql/src/migrations.ts.
  return Object.fromEntries(entries) as unknown as Rows
}

/** Resolves packages from packages/sql. The types below are the parts that are used here. */
const packages = createRequire(new URL("../../packages/sql/package.json", import.meta.url))

/** A file in memory where the system has a folder for that, because these tests don't test the disk. */
export async function sqliteDatabase(): Promise<Database> {
  const folder = await mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "latchkey-crash-"))
  const address = join(folder, "store.db")
  const store = sqlite(address)
  await store.migrate()
  await store.close()
  // The same library: a second copy of SQLite in a process drops the locks of the first one.
  const eye = new DatabaseSync(address, { timeout: 30_000 })
  const query: Query = async (text) => eye.prepare(text).all()
  return {
    kind: "SQLite",
    address,
    rows: () => everything(query),
    clear: async () => {
      eye.exec(tables.map((table) => `delete from ${table};`).join(""))
    },
    released: async () => {},
    close: async () => {
      eye.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Client {
  connect(): Promise<void>
  query(text: string): Promise<{ rows: readonly unknown[] }>
  end(): Promise<void>
}

export async function postgresDatabase(address: string): Promise<Database> {
  const store = postgres(address)
  await store.migrate()
  await store.close()
  const { Client } = packages("pg") as { Client: new (options: { connectionString: string }) => Client }
  const eye = new Client({ connectionString: address })
  await eye.connect()
  const query: Query = async (text) => (await eye.query(text)).rows
  const busy = "select 1 from pg_stat_activity where datname = current_database() and state like 'idle in%'"
  return {
    kind: "PostgreSQL",
    address,
    rows: () => everything(query),
    clear: async () => {
      await query(`truncate ${tables.join(", ")} cascade`)
    },
    released: async () => {
      // The server notices the end of a client a moment later.
      while ((await query(busy)).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    close: () => eye.end(),
  }
}
