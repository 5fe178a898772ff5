import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DrizzleAdapter } from "@auth/drizzle-adapter"
import { type Database as KyselyTables, KyselyAdapter } from "@auth/kysely-adapter"
import PostgresAdapter from "@auth/pg-adapter"
import type { Adapter } from "@latchkey/core/adapters"
import { type SqlAdapter, type SqlAdapterOptions, sqlAdapter } from "@latchkey/sql"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import SQLite from "better-sqlite3"
import { drizzle as drizzleSqlite } from "drizzle-orm/better-sqlite3"
import { drizzle as drizzleMysql } from "drizzle-orm/mysql2"
import { drizzle as drizzlePg } from "drizzle-orm/node-postgres"
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from "kysely"
import { createPool } from "mysql2"
import pg from "pg"
import * as documented from "../../interop/schemas.js"
import { mysqlPlace, type Place, postgresPlace, sqlitePlace } from "./places.js"
import * as schemas from "./schemas.js"

/** Tables of a published adapter in a new database. */
export interface Opened {
  readonly place: Place
  ours(options?: SqlAdapterOptions): SqlAdapter
  /** The published adapter. `undefined` for Prisma, which needs a generated client; see `prisma.test.ts`. */
  readonly theirs: Adapter | undefined
  close(): Promise<void>
}

export interface LayoutCase {
  readonly name: string
  readonly server: "postgres" | "mariadb" | undefined
  readonly layout: "authjs-pg" | "authjs-kysely" | "authjs-drizzle" | "authjs-prisma"
  readonly hasPasskeys: boolean
  /** `@auth/drizzle-adapter` for MySQL stores the expiry in seconds. */
  readonly precision?: "seconds"
  /** Ids of the cases of the adapter contract that the tables don't allow. */
  readonly limits: readonly string[]
  /** Makes ids in the format of the database. */
  newId?(): string
  open(id: string): Promise<Opened>
}

/** An adapter, and what ends its connections. */
interface Theirs {
  readonly adapter: Adapter
  close(): Promise<unknown>
}

let opened = 0
const folder = mkdtempSync(join(tmpdir(), "latchkey-layouts-"))

type Ours = (url: string, options?: SqlAdapterOptions) => SqlAdapter

const withPostgres: Ours = (connectionString, options) => postgres({ connectionString, ...options })

/** Its driver takes and returns dates in the time zone of the process. */
const withKysely: Ours = (connectionString, options) =>
  sqlAdapter(new PostgresDialect({ pool: new pg.Pool({ connectionString }) }), options)

function inPostgres(tables: string, open?: (pool: pg.Pool) => Adapter, ours = withPostgres): LayoutCase["open"] {
  return async (id) => {
    const place = await postgresPlace(`layouts_${id}_${++opened}`)
    await place.run(tables)
    const pool = new pg.Pool({ connectionString: place.url })
    const theirs = open && { adapter: open(pool), close: () => pool.end() }
    return openedAt(place, (options) => ours(place.url, options), theirs)
  }
}

function inMysql(tables: string, open?: (pool: ReturnType<typeof createPool>) => Adapter): LayoutCase["open"] {
  return async (id) => {
    const place = await mysqlPlace(`layouts_${id}_${++opened}`, "utf8mb4_nopad_bin")
    await place.run(tables)
    // By default, mysql2 stores dates in the time zone of the process, which another process can't know.
    const pool = createPool({ uri: place.url, timezone: "Z" })
    const theirs = open && { adapter: open(pool), close: () => pool.promise().end() }
    return openedAt(place, (options) => mysql({ connectionString: place.url, ...options }), theirs)
  }
}

function inSqlite(tables: string, open?: (database: SQLite.Database) => Adapter): LayoutCase["open"] {
  return async (id) => {
    const place = sqlitePlace(join(folder, `${id}_${++opened}.db`))
    await place.run(tables)
    const database = new SQLite(place.url)
    database.pragma("foreign_keys = on")
    const theirs = open && { adapter: open(database), close: async () => database.close() }
    return openedAt(place, (options) => sqlite(place.url, options), theirs)
  }
}

function openedAt(place: Place, ours: (options?: SqlAdapterOptions) => SqlAdapter, theirs?: Theirs): Opened {
  const adapters: SqlAdapter[] = []
  return {
    place,
    ours: (options) => {
      const adapter = ours(options)
      adapters.push(adapter)
      return adapter
    },
    theirs: theirs?.adapter,
    close: async () => {
      for (const adapter of adapters) await adapter.close()
      await theirs?.close()
      await place.close()
    },
  }
}

/** Ids are numbers, which the published adapter returns too, although the contract says text. */
const numericIds = ["users.create", "transaction.race"]
/** The columns have 255 characters or fewer, although tokens and the ids of passkeys can be longer. */
const shortColumns = ["accounts.long", "tokens.long", "authenticators.limits"]
/** The type `timestamp` of MySQL ends in 2038 and begins in 1970. */
const timestamps = ["users.dates", "sessions.dates", "tokens.dates"]
/** Each update changes `updatedAt` of a user. */
const updatedAt = ["users.update"]
/** A counter of 32 bits with a sign. */
const signedCounter = ["authenticators.limits"]
/** The older schema has a unique index on the token alone. */
const uniqueTokens = ["tokens.collation"]

let serial = 2_000_000_000

export const layouts: readonly LayoutCase[] = [
  {
    name: "@auth/pg-adapter",
    limits: numericIds,
    server: "postgres",
    layout: "authjs-pg",
    hasPasskeys: false,
    newId: () => String(serial++),
    open: inPostgres(documented.pgTables, (pool) => PostgresAdapter(pool)),
  },
  {
    name: "@auth/kysely-adapter over PostgreSQL",
    limits: [],
    server: "postgres",
    layout: "authjs-kysely",
    hasPasskeys: false,
    open: inPostgres(documented.kyselyPg, (pool) =>
      KyselyAdapter(new Kysely<KyselyTables>({ dialect: new PostgresDialect({ pool }) })),
    ),
  },
  {
    name: "@auth/kysely-adapter over MariaDB",
    limits: shortColumns,
    server: "mariadb",
    layout: "authjs-kysely",
    hasPasskeys: false,
    open: inMysql(schemas.kyselyMysql, (pool) =>
      KyselyAdapter(new Kysely<KyselyTables>({ dialect: new MysqlDialect({ pool }) })),
    ),
  },
  {
    name: "@auth/kysely-adapter over SQLite",
    limits: [],
    server: undefined,
    layout: "authjs-kysely",
    hasPasskeys: false,
    open: inSqlite(documented.kyselySqlite, (database) =>
      KyselyAdapter(new Kysely<KyselyTables>({ dialect: new SqliteDialect({ database }) })),
    ),
  },
  {
    name: "@auth/drizzle-adapter over PostgreSQL",
    limits: signedCounter,
    server: "postgres",
    layout: "authjs-drizzle",
    hasPasskeys: true,
    open: inPostgres(documented.drizzlePg, (pool) => DrizzleAdapter(drizzlePg(pool)), withKysely),
  },
  {
    name: "@auth/drizzle-adapter over MariaDB",
    limits: [...shortColumns, ...timestamps],
    server: "mariadb",
    layout: "authjs-drizzle",
    hasPasskeys: true,
    precision: "seconds",
    open: inMysql(schemas.drizzleMysql, (pool) => DrizzleAdapter(drizzleMysql(pool))),
  },
  {
    name: "@auth/drizzle-adapter over SQLite",
    limits: [],
    server: undefined,
    layout: "authjs-drizzle",
    hasPasskeys: true,
    open: inSqlite(documented.drizzleSqlite, (database) => DrizzleAdapter(drizzleSqlite(database))),
  },
  ...prisma("Prisma", schemas.prisma, true),
  ...prisma("Prisma, older schema", schemas.olderPrisma, false),
]

interface PrismaTables {
  readonly postgres: string
  readonly mysql: string
  readonly sqlite: string
}

function prisma(name: string, tables: PrismaTables, hasPasskeys: boolean): LayoutCase[] {
  const of = { layout: "authjs-prisma", hasPasskeys } as const
  const limits = [...updatedAt, ...(hasPasskeys ? [] : uniqueTokens)]
  return [
    {
      ...of,
      name: `${name} over PostgreSQL`,
      server: "postgres",
      limits: hasPasskeys ? [...limits, ...signedCounter] : limits,
      open: inPostgres(tables.postgres),
    },
    {
      ...of,
      name: `${name} over MariaDB`,
      server: "mariadb",
      limits: [...limits, ...shortColumns],
      open: inMysql(tables.mysql),
    },
    { ...of, name: `${name} over SQLite`, server: undefined, limits, open: inSqlite(tables.sqlite) },
  ]
}
