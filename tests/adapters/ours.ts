import { drizzle } from "@latchkey/drizzle"
import * as mysqlTables from "@latchkey/drizzle/mysql"
import * as pgTables from "@latchkey/drizzle/pg"
import * as sqliteTables from "@latchkey/drizzle/sqlite"
import { dynamodb } from "@latchkey/dynamodb"
import { mongodb } from "@latchkey/mongodb"
import { prisma } from "@latchkey/prisma"
import { redis, redisCache, redisSessions } from "@latchkey/redis"
import { d1 } from "@latchkey/sql/d1"
import { libsql } from "@latchkey/sql/libsql"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import { unstorage } from "@latchkey/unstorage"
import { PGlite } from "@electric-sql/pglite"
import type { Adapter } from "@latchkey/core/adapters"
import { Cluster, Redis } from "ioredis"
import postgresJs from "postgres"
import { createStorage, type StorageValue } from "unstorage"
import { inject } from "vitest"
import { betterSqlite, mysql2, nodePostgres } from "../../packages/drizzle/test/databases.js"
import { startTable } from "../../packages/dynamodb/test/tables.js"
import { openNew } from "../../packages/mongodb/test/clients.js"
import { overMariadb, overPg, overSqlite } from "../../packages/prisma/test/clients.js"
import { neonPool } from "../../packages/sql/test/neon.js"
import { newDatabase, newMariaDatabase } from "./published/databases.js"
import type { Entry, Opened } from "./published/published.js"
import { newD1 } from "./published/stores.js"

type Route = Parameters<Entry["open"]>[0]

const onPostgres = { database: "PostgreSQL", needs: "postgres" } as const
const onMariadb = { database: "MariaDB", needs: "mariadb" } as const
const onRedis = { database: "Redis", needs: "redis" } as const
const onRedisAndPostgres = { database: "Redis and PostgreSQL", needs: "postgres", breaks: false } as const

const entries: readonly Entry[] = [
  {
    name: "@latchkey/sql/postgres",
    ...onPostgres,
    open: async (route) => closing(postgres(route(await newDatabase()))),
  },
  {
    name: "@latchkey/sql/postgres with postgres.js",
    ...onPostgres,
    open: async (route) => closing(postgres({ pool: postgresJs(route(await newDatabase()), { onnotice: () => {} }) })),
  },
  { name: "@latchkey/sql/postgres with the Neon driver", ...onPostgres, open: openNeon },
  { name: "@latchkey/sql/postgres", database: "PGlite", open: async () => closing(postgres({ pool: new PGlite() })) },
  {
    name: "@latchkey/sql/mysql",
    ...onMariadb,
    open: async (route) => closing(mysql(route(await newMariaDatabase("")))),
  },
  { name: "@latchkey/sql/sqlite", database: "SQLite", open: async () => closing(sqlite(":memory:")) },
  { name: "@latchkey/sql/libsql", database: "libSQL", open: async () => closing(libsql(":memory:")) },
  { name: "@latchkey/sql/d1", database: "D1 in workerd", open: openD1 },
  { name: "@latchkey/redis", ...onRedis, open: openRedis },
  { name: "@latchkey/redis", database: "Redis Cluster", needs: "redisCluster", breaks: false, open: openCluster },
  { name: "redisSessions of @latchkey/redis", ...onRedisAndPostgres, open: () => openInFront(redisSessions) },
  { name: "redisCache of @latchkey/redis", ...onRedisAndPostgres, open: () => openInFront(redisCache) },
  {
    name: "@latchkey/drizzle",
    ...onPostgres,
    open: openDrizzle,
  },
  {
    name: "@latchkey/drizzle",
    ...onMariadb,
    open: async (route) => left(drizzle(await mysql2(unique("drizzle"), mysqlTables, { route }), mysqlTables)),
  },
  {
    name: "@latchkey/drizzle",
    database: "SQLite",
    open: async () => left(drizzle(await betterSqlite(sqliteTables), sqliteTables)),
  },
  {
    name: "@latchkey/prisma",
    ...onPostgres,
    open: async (route) => left(prisma(await overPg(unique("prisma"), "latchkey", { route }))),
  },
  {
    name: "@latchkey/prisma",
    ...onMariadb,
    // The driver of Prisma leaves an unhandled rejection.
    breaks: false,
    open: async () => left(prisma(await overMariadb(unique("prisma"), "latchkey"))),
  },
  { name: "@latchkey/prisma", database: "SQLite", open: async () => left(prisma(await overSqlite("latchkey"))) },
  { name: "@latchkey/unstorage", database: "memory", open: async () => left(unstorage(createStorage<StorageValue>())) },
  { name: "@latchkey/dynamodb", database: "dynalite", open: async () => left(dynamodb((await startTable()).open())) },
  { name: "@latchkey/mongodb", database: "a stand-in for MongoDB", open: async () => left(mongodb(await openNew())) },
]

/** Adapters of this repository. */
export const ours: readonly Entry[] = entries.map((entry) => ({ ...entry, isOurs: true }))

function closing(adapter: Adapter & { close(): Promise<void> }): Opened {
  return { adapter, close: () => adapter.close() }
}

/** The helper that opened the database closes it after the tests of the file. */
function left(adapter: Adapter): Opened {
  return { adapter, close: async () => {} }
}

/** A name for a database, which is opened twice: for the cases, and to break its connections. */
function unique(name: string): string {
  return `table_${name}_${crypto.randomUUID().slice(0, 8)}`
}

async function openDrizzle(route: Route): Promise<Opened> {
  const db = await nodePostgres(unique("drizzle"), pgTables, { route })
  // pg reports lost connections that aren't in use to the pool.
  db.$client.on("error", () => {})
  return left(drizzle(db, pgTables))
}

async function openD1(): Promise<Opened> {
  const { binding, close } = await newD1()
  return { adapter: d1(binding), close }
}

async function openNeon(route: Route): Promise<Opened> {
  const stops: (() => void)[] = []
  const adapter = postgres({ pool: await neonPool(route(await newDatabase()), (stop) => stops.push(stop)) })
  const close = async () => {
    await adapter.close()
    for (const stop of stops) stop()
  }
  return { adapter, close }
}

async function openCluster(): Promise<Opened> {
  const client = new Cluster([...(inject("redisCluster") ?? [])])
  const adapter = redis(client, { baseKeyPrefix: `table:${crypto.randomUUID()}:` })
  return { adapter, close: async () => client.disconnect() }
}

async function openInFront(inFront: typeof redisSessions | typeof redisCache): Promise<Opened> {
  const client = new Redis(inject("redis") ?? "", { maxRetriesPerRequest: 1 })
  const adapter = postgres(await newDatabase())
  const close = async () => {
    client.disconnect()
    await adapter.close()
  }
  return { adapter: inFront(adapter, client, { prefix: `table:${crypto.randomUUID()}:` }), close }
}

async function openRedis(route: Route): Promise<Opened> {
  const client = new Redis(route(inject("redis") ?? ""), { maxRetriesPerRequest: 1, retryStrategy: () => 50 })
  // Each command reports the lost connection itself.
  client.on("error", () => {})
  return {
    adapter: redis(client, { baseKeyPrefix: `table:${crypto.randomUUID()}:` }),
    close: async () => client.disconnect(),
  }
}
