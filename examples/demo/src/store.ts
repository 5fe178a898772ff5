import { DatabaseSync, type SQLOutputValue } from "node:sqlite"
import type { Adapter } from "@latchkey/core/adapters"
import type { RateLimitStore } from "@latchkey/core/types"
import { sqlite } from "@latchkey/sql/sqlite"
import type { DemoUser } from "./users.js"

/** The rows of a table, with shortened secrets. */
export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The SQLite file. */
export interface Store {
  readonly adapter: Adapter
  readonly rateLimits: RateLimitStore
  addUser(user: DemoUser): Promise<void>
  tables(): readonly Table[]
  close(): Promise<void>
}

export async function openStore(file: string): Promise<Store> {
  const adapter = sqlite(file)
  await adapter.migrate()
  const database = new DatabaseSync(file)
  return {
    adapter,
    rateLimits: adapter.rateLimits,
    async addUser({ id, name, email }) {
      await adapter.createUser({ id, name, email, emailVerified: new Date() })
    },
    tables: () => namesOf(database).map((name) => tableOf(database, name)),
    async close() {
      database.close()
      await adapter.close()
    },
  }
}

function namesOf(database: DatabaseSync): readonly string[] {
  const rows = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like '%migration%'")
    .all()
  return rows.map(({ name }) => String(name)).filter((name) => !name.startsWith("sqlite_"))
}

function tableOf(database: DatabaseSync, name: string): Table {
  const statement = database.prepare(`select * from "${name}"`)
  const columns = statement.columns().map((column) => column.name)
  const rows = statement.all().map((row) => columns.map((column) => shown(column, row[column])))
  return { name, columns, rows }
}

function shown(column: string, value: SQLOutputValue | undefined): string {
  if (value === null || value === undefined || value === "{}") return "–"
  if (typeof value === "number" && /expires|verified/.test(column)) return new Date(value).toISOString()
  if (column === "data") return `${String(value).slice(0, 60)}…`
  if (column === "extra") return JSON.stringify(JSON.parse(String(value), shortened))
  return shortened(column, String(value))
}

function shortened<Value>(name: string, value: Value): Value | string {
  return typeof value === "string" && /token$|hash/i.test(name) ? `${value.slice(0, 6)}…` : value
}
