import { DrizzleAdapter } from "@auth/drizzle-adapter"
import { KyselyAdapter } from "@auth/kysely-adapter"
import SQLite from "better-sqlite3"
import { drizzle } from "drizzle-orm/better-sqlite3"
import { Kysely, SqliteDialect } from "kysely"
import { drizzleSqlite, kyselySqlite } from "../../interop/schemas.js"
import { adapterOf, type Opened, type Entry } from "./published.js"

export const overSqlite: readonly Entry[] = [
  {
    name: "@auth/kysely-adapter",
    database: "SQLite",
    open: () =>
      over(kyselySqlite, (database) => KyselyAdapter(new Kysely({ dialect: new SqliteDialect({ database }) }))),
  },
  {
    name: "@auth/drizzle-adapter",
    database: "SQLite",
    open: () => over(drizzleSqlite, (database) => DrizzleAdapter(drizzle(database))),
  },
]

async function over(tables: string, make: (database: SQLite.Database) => unknown): Promise<Opened> {
  const database = new SQLite(":memory:")
  database.pragma("foreign_keys = on")
  database.exec(tables)
  return { adapter: adapterOf(make(database)), close: async () => void database.close() }
}
