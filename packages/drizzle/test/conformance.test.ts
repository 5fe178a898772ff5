import { allCapabilities, type Capability, testAdapter, type TestAdapterOptions } from "@latchkey/adapter-kit"
import { drizzle, DrizzleAdapter } from "@latchkey/drizzle"
import * as mysqlTables from "@latchkey/drizzle/mysql"
import * as pgTables from "@latchkey/drizzle/pg"
import * as sqliteTables from "@latchkey/drizzle/sqlite"
import type { Adapter } from "@latchkey/core/adapters"
import { describe, inject, test } from "vitest"
import { betterSqlite, d1, libsql, mysql2, nodePostgres, pglite, postgresJs, publishedTables } from "./databases.js"

type Options = Partial<Pick<TestAdapterOptions, "precision" | "skip">> & { readonly without?: readonly Capability[] }

function conforms(name: string, create: () => Promise<Adapter>, { without = [], ...options }: Options = {}): void {
  const capabilities = allCapabilities.filter((capability) => !without.includes(capability))
  testAdapter({ name, create, capabilities, webauthn: true, ...options }, { describe, test })
}

/** The tables of `@auth/drizzle-adapter` have no table or column for these. */
const notInPublishedTables = ["records", "describeSession", "describeAuthenticator", "extraFields"] as const

/** Its counters of passkeys have 31 bits. */
const tooLongForPublishedPg = ["authenticators.limits"]

/** In MySQL, the id of a passkey can have 255 characters, because it's part of a key. */
const tooLongForMysql = ["authenticators.limits"]

/** Its tokens can have 255 characters, and its dates end in 2038. */
const tooLongForPublishedMysql = [...tooLongForMysql, "accounts.long", "users.dates", "sessions.dates", "tokens.dates"]

conforms("SQLite with better-sqlite3", async () => drizzle(await betterSqlite(sqliteTables), sqliteTables), {
  without: ["transaction"],
})
conforms("SQLite with libSQL", async () => drizzle(await libsql(sqliteTables), sqliteTables))
conforms("D1", async () => drizzle(await d1(sqliteTables), sqliteTables), { without: ["transaction"] })
conforms("PostgreSQL with PGlite", async () => drizzle(await pglite(pgTables), pgTables))
conforms(
  "the SQLite tables of @auth/drizzle-adapter",
  async () => DrizzleAdapter(await betterSqlite(await publishedTables("sqlite"))),
  { without: ["transaction", ...notInPublishedTables] },
)

describe.skipIf(inject("postgres") === undefined)("on a PostgreSQL server", () => {
  conforms("PostgreSQL with node-postgres", async () =>
    drizzle(await nodePostgres("drizzle_pg", pgTables), pgTables, { prepare: true }),
  )
  conforms("PostgreSQL with postgres.js", async () => drizzle(await postgresJs("drizzle_js", pgTables), pgTables))
  conforms(
    "the PostgreSQL tables of @auth/drizzle-adapter",
    async () => DrizzleAdapter(await nodePostgres("drizzle_published", await publishedTables("pg"))),
    { without: notInPublishedTables, skip: tooLongForPublishedPg },
  )
})

describe.skipIf(inject("mariadb") === undefined)("on a MariaDB server", () => {
  conforms("MariaDB with mysql2", async () => drizzle(await mysql2("drizzle_mysql", mysqlTables), mysqlTables), {
    skip: tooLongForMysql,
  })
  conforms(
    "the MySQL tables of @auth/drizzle-adapter",
    async () => DrizzleAdapter(await mysql2("drizzle_published", await publishedTables("mysql"))),
    { without: notInPublishedTables, precision: "seconds", skip: tooLongForPublishedMysql },
  )
})
