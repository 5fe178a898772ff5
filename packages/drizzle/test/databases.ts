import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { PGlite } from "@electric-sql/pglite"
import { createClient } from "@libsql/client"
import Database from "better-sqlite3"
import {
  generateDrizzleJson,
  generateMigration,
  generateMySQLDrizzleJson,
  generateMySQLMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from "drizzle-kit/api"
import { type BetterSQLite3Database, drizzle as overBetterSqlite } from "drizzle-orm/better-sqlite3"
import { drizzle as overD1 } from "drizzle-orm/d1"
import { drizzle as overLibsql } from "drizzle-orm/libsql"
import { drizzle as overMysql, type MySql2Database } from "drizzle-orm/mysql2"
import { drizzle as overPg, type NodePgDatabase } from "drizzle-orm/node-postgres"
import { drizzle as overPglite } from "drizzle-orm/pglite"
import { drizzle as overPostgresJs } from "drizzle-orm/postgres-js"
import { Miniflare } from "miniflare"
import mysql from "mysql2/promise"
import pg from "pg"
import postgres from "postgres"
import { afterAll, inject } from "vitest"

type Tables = Readonly<Record<string, unknown>>

const closing: (() => Promise<unknown> | void)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

/** Closes it after the tests of the file. */
function atEnd(close: () => Promise<unknown> | void): void {
  closing.push(close)
}

const statements = {
  pg: async (tables: Tables) => generateMigration(generateDrizzleJson({}), generateDrizzleJson({ ...tables })),
  mysql: async (tables: Tables) =>
    generateMySQLMigration(await generateMySQLDrizzleJson({}), await generateMySQLDrizzleJson({ ...tables })),
  sqlite: async (tables: Tables) =>
    generateSQLiteMigration(await generateSQLiteDrizzleJson({}), await generateSQLiteDrizzleJson({ ...tables })),
}

/** The tables of `@auth/drizzle-adapter`, which it doesn't export. */
export async function publishedTables(dialect: keyof typeof statements): Promise<Tables> {
  return (await published(`lib/${dialect}.js`, "defineTables"))() as Tables
}

/** The adapter of `@auth/drizzle-adapter`. Its types belong to another copy of Drizzle. */
export async function publishedAdapter(db: object): Promise<object> {
  return (await published("index.js", "DrizzleAdapter"))(db)
}

async function published(file: string, name: string): Promise<(...args: unknown[]) => object> {
  const folder = dirname(createRequire(import.meta.url).resolve("@auth/drizzle-adapter"))
  const module: unknown = await import(pathToFileURL(join(folder, file)).href)
  const found: unknown = Reflect.get(Object(module), name)
  if (typeof found !== "function") throw new Error(`@auth/drizzle-adapter has no ${name}`)
  return found as (...args: unknown[]) => object
}

/** The URL of a new, empty database. */
export async function newPgDatabase(name: string): Promise<string> {
  const server = inject("postgres")
  if (server === undefined) throw new Error("PostgreSQL isn't running. Skip the test.")
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`drop database if exists ${name} with (force)`)
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Changes the URL of a database, such as to one of a proxy. */
type Route = (url: string) => string

export async function nodePostgres(
  name: string,
  tables: Tables,
  { route = (url) => url, ...options }: pg.PoolConfig & { readonly route?: Route } = {},
): Promise<NodePgDatabase & { $client: pg.Pool }> {
  const pool = new pg.Pool({ connectionString: route(await newPgDatabase(name)), ...options })
  // Drizzle doesn't return a connection that was lost during `begin`, and the pool would wait for it.
  atEnd(() => void pool.end())
  for (const statement of await statements.pg(tables)) await pool.query(statement)
  return overPg(pool)
}

export async function postgresJs(name: string, tables: Tables) {
  const client = postgres(await newPgDatabase(name), { onnotice: () => undefined })
  atEnd(() => client.end())
  for (const statement of await statements.pg(tables)) await client.unsafe(statement)
  return overPostgresJs(client)
}

export async function pglite(tables: Tables) {
  const client = new PGlite()
  atEnd(() => client.close())
  for (const statement of await statements.pg(tables)) await client.exec(statement)
  return overPglite(client)
}

/** The URL of a new, empty database. */
export async function newMysqlDatabase(name: string, collation = "utf8mb4_nopad_bin"): Promise<string> {
  const server = inject("mariadb")
  if (server === undefined) throw new Error("MariaDB isn't running. Skip the test.")
  const connection = await mysql.createConnection(server)
  await connection.query(`drop database if exists ${name}`)
  await connection.query(`create database ${name} character set utf8mb4 collate ${collation}`)
  await connection.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export async function mysql2(
  name: string,
  tables: Tables,
  { collation, route = (url) => url }: { readonly collation?: string; readonly route?: Route } = {},
): Promise<MySql2Database & { $client: mysql.Pool }> {
  const pool = mysql.createPool({ uri: route(await newMysqlDatabase(name, collation)), connectionLimit: 10 })
  atEnd(() => pool.end())
  for (const statement of await statements.mysql(tables)) await pool.query(statement)
  return overMysql({ client: pool })
}

export async function betterSqlite(tables: Tables): Promise<BetterSQLite3Database & { $client: Database.Database }> {
  const database = new Database(":memory:")
  atEnd(() => void database.close())
  for (const statement of await statements.sqlite(tables)) database.exec(statement)
  return overBetterSqlite(database)
}

export async function libsql(tables: Tables) {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-drizzle-"))
  const client = createClient({ url: `file:${join(folder, "a.db")}` })
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  atEnd(() => client.close())
  for (const statement of await statements.sqlite(tables)) await client.executeMultiple(statement)
  return overLibsql(client)
}

export async function d1(tables: Tables) {
  const worker = new Miniflare({
    modules: true,
    script: "export default { fetch: () => new Response() }",
    d1Databases: ["DB"],
  })
  atEnd(() => worker.dispose())
  const binding = await worker.getD1Database("DB")
  for (const statement of await statements.sqlite(tables)) await binding.prepare(statement).run()
  return overD1(binding)
}
