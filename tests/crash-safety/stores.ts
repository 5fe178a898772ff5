import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import type { SqlAdapter } from "@latchkey/sql"

/** Everything that is in the tables. */
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
  /** A path or a URL: enough for another process. */
  readonly address: string
  /** What the tables hold, seen from a connection of its own. */
  rows(): Promise<Rows>
  clear(): Promise<void>
  /** Until no other process holds anything in it. */
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
  // The columns are those of packages/sql/src/schema.ts.
  return Object.fromEntries(entries) as unknown as Rows
}

/** This folder has no packages of its own; the types are the parts of them that are used here. */
const packages = createRequire(new URL("../../packages/sql/package.json", import.meta.url))

interface Eye {
  prepare(text: string): { all(): unknown[] }
  exec(text: string): unknown
  close(): unknown
}

/** In memory where the system has a folder for that: nothing here is about the disk. */
export async function sqliteDatabase(): Promise<Database> {
  const folder = await mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "latchkey-crash-"))
  const address = join(folder, "store.db")
  const store = sqlite(address)
  await store.migrate()
  await store.close()
  // Of the same library: a second copy of SQLite in one process takes away the locks of the first.
  const Eye = packages("better-sqlite3") as new (path: string, options: { timeout: number }) => Eye
  const eye = new Eye(address, { timeout: 30_000 })
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
      // The server notices the death of a client a moment later.
      while ((await query(busy)).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    close: () => eye.end(),
  }
}
