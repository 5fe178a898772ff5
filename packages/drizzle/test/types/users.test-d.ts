import type { AuthConfig } from "@latchkey/core"
import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { drizzle, DrizzleAdapter } from "@latchkey/drizzle"
import * as mysqlTables from "@latchkey/drizzle/mysql"
import * as pgTables from "@latchkey/drizzle/pg"
import * as sqliteTables from "@latchkey/drizzle/sqlite"
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3"
import type { DrizzleD1Database } from "drizzle-orm/d1"
import type { LibSQLDatabase } from "drizzle-orm/libsql"
import type { MySql2Database } from "drizzle-orm/mysql2"
import type { NodePgDatabase } from "drizzle-orm/node-postgres"
import { pgTable, serial, text, timestamp } from "drizzle-orm/pg-core"
import type { PgliteDatabase } from "drizzle-orm/pglite"
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js"
import { expectTypeOf } from "vitest"

declare const pg: NodePgDatabase
declare const pgWithSchema: NodePgDatabase<typeof pgTables>
declare const others: [PostgresJsDatabase, PgliteDatabase<typeof pgTables>]
declare const mysql: MySql2Database<typeof mysqlTables>
declare const sqlite: [BetterSQLite3Database, LibSQLDatabase<typeof sqliteTables>, DrizzleD1Database]

// Every database of Drizzle is accepted, and every adapter is one of the engine.
const adapters = [
  drizzle(pg),
  drizzle(pg, pgTables, { prepare: true }),
  drizzle(pgWithSchema, pgTables),
  ...others.map((db) => drizzle(db, pgTables)),
  drizzle(mysql, mysqlTables),
  ...sqlite.map((db) => drizzle(db, sqliteTables)),
]
for (const adapter of adapters) {
  const config: AuthConfig = { adapter, providers: [] }
  expectTypeOf(config.adapter).toEqualTypeOf<Adapter | undefined>()
}

// @ts-expect-error not a database
drizzle({})

const users = pgTable("user", {
  id: serial("id").primaryKey(),
  email: text("email").unique(),
  emailVerified: timestamp("emailVerified", { mode: "date" }),
  role: text("role", { enum: ["admin", "member"] }).notNull(),
  team: text("team"),
  joined: timestamp("joined", { mode: "date" }).notNull().defaultNow(),
})

const adapter = drizzle(pg, { users })

// Columns of the application are fields of the users, with the type of their column. Ids are text.
const user = await adapter.getUser("1")
expectTypeOf(user?.role).toEqualTypeOf<"admin" | "member" | undefined>()
expectTypeOf(user?.team).toEqualTypeOf<string | null | undefined>()
expectTypeOf(user?.joined).toEqualTypeOf<Date | undefined>()
expectTypeOf(user?.id).toEqualTypeOf<string | undefined>()
expectTypeOf(user).toExtend<AdapterUser | null>()
expectTypeOf((await adapter.getSessionAndUser("s"))?.user.role).toEqualTypeOf<"admin" | "member" | undefined>()

const ada = { id: "1", email: "ada@example.com", emailVerified: null }
await adapter.createUser({ ...ada, role: "admin" })
await adapter.createUser({ ...ada, role: "member", team: "a", joined: new Date() })
// @ts-expect-error a required column without a default needs a value
await adapter.createUser(ada)
// @ts-expect-error not a role
await adapter.createUser({ ...ada, role: "guest" })
await adapter.updateUser({ id: "1", team: null })
// @ts-expect-error not a role
await adapter.updateUser({ id: "1", role: "guest" })

// The parameters of `@auth/drizzle-adapter` work too.
const { accounts, sessions, verificationTokens, authenticators } = pgTables
const swapped = DrizzleAdapter(pg, {
  usersTable: users,
  accountsTable: accounts,
  sessionsTable: sessions,
  verificationTokensTable: verificationTokens,
  authenticatorsTable: authenticators,
})
expectTypeOf((await swapped.getUserByEmail("ada@example.com"))?.role).toEqualTypeOf<"admin" | "member" | undefined>()

// A table needs its columns.
// @ts-expect-error no emailVerified
drizzle(pg, { users: pgTable("user", { id: serial("id"), email: text("email") }) })
// @ts-expect-error sessions aren't accounts
drizzle(pg, { accounts: sessions })

// Without a table of the application, a user has only the fields that every user has.
expectTypeOf((await drizzle(pg, pgTables).getUser("1"))?.email).toEqualTypeOf<string | undefined>()
