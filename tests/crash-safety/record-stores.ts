import { createRequire } from "node:module"
import type { RecordStore } from "@latchkey/core/adapters"
import { redis, type RedisClient } from "@latchkey/redis"
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"

export type StoreKind = "SQLite" | "PostgreSQL" | "MariaDB" | "Redis"

export interface Place {
  readonly kind: StoreKind
  /** A path or a URL. */
  readonly address: string
}

export interface OpenRecords {
  readonly records: RecordStore
  close(): Promise<unknown>
}

export function openRecords({ kind, address }: Place): OpenRecords {
  if (kind === "Redis") return overRedis(address, (client) => client)
  const adapter = { SQLite: sqlite, PostgreSQL: postgres, MariaDB: mysql }[kind](address)
  return { records: adapter.records, close: () => adapter.close() }
}

/** Calls `step` before each statement that is sent. */
export function openWatched({ kind, address }: Place, step: () => Promise<void>): OpenRecords {
  if (kind === "Redis") return overRedis(address, (client) => watchedClient(client, step))
  const adapter = watchedAdapter(dialects[kind](address), step)
  return { records: adapter.records, close: () => adapter.close() }
}

// The parts of packages that are used here. They are dependencies of the packages, and not of these tests.

type Constructor = new (options: object) => object

interface RedisConstructor {
  new (url: string): RedisClient & { disconnect(): void }
}

const ofSql = createRequire(new URL("../../packages/sql/package.json", import.meta.url))
const ofRedis = createRequire(new URL("../../packages/redis/package.json", import.meta.url))

function overRedis(url: string, around: (client: RedisClient) => RedisClient): OpenRecords {
  const { Redis } = ofRedis("ioredis") as { Redis: RedisConstructor }
  const client = new Redis(url)
  return { records: redis(around(client)).records, close: async () => client.disconnect() }
}

function watchedClient(client: RedisClient, step: () => Promise<void>): RedisClient {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== "function") return member
      return async (...args: unknown[]) => {
        await step()
        return Reflect.apply(member, target, args)
      }
    },
  })
}

const kysely = ofSql("kysely") as Record<"SqliteDialect" | "PostgresDialect" | "MysqlDialect", Constructor>

const dialects: Readonly<Record<Exclude<StoreKind, "Redis">, (address: string) => object>> = {
  SQLite: (file) => {
    const Database = ofSql("better-sqlite3") as new (file: string) => object
    return new kysely.SqliteDialect({ database: new Database(file) })
  },
  PostgreSQL: (connectionString) => {
    const { Pool } = ofSql("pg") as { Pool: Constructor }
    return new kysely.PostgresDialect({ pool: new Pool({ connectionString }) })
  },
  MariaDB: (uri) => {
    const { createPool } = ofSql("mysql2") as { createPool(uri: string): object }
    return new kysely.MysqlDialect({ pool: createPool(uri) })
  },
}

const methodsOfDialect = ["createAdapter", "createQueryCompiler", "createIntrospector"] as const

function watchedAdapter(dialect: object, step: () => Promise<void>): SqlAdapter {
  const call = (name: string, ...args: unknown[]): object => Reflect.apply(Reflect.get(dialect, name), dialect, args)
  const [createAdapter, createQueryCompiler, createIntrospector] = methodsOfDialect.map(
    (name) =>
      (...args: unknown[]) =>
        call(name, ...args),
  )
  if (!createAdapter || !createQueryCompiler || !createIntrospector) throw new Error("A dialect has three methods")
  const createDriver = () => watchedDriver(call("createDriver"), step)
  return sqlAdapter({ createAdapter, createDriver, createQueryCompiler, createIntrospector })
}

/** Connections of one pool are the same object each time, because a driver remembers them. */
function watchedDriver(driver: object, step: () => Promise<void>): object {
  const steps = ["beginTransaction", "commitTransaction"]
  return new Proxy(driver, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== "function") return member
      return async (...args: unknown[]) => {
        if (steps.includes(String(name))) await step()
        const result: unknown = await Reflect.apply(member, target, args)
        if (name === "acquireConnection") watchConnection(Object(result), step)
        return result
      }
    },
  })
}

const watched = new WeakSet<object>()

function watchConnection(connection: object, step: () => Promise<void>): void {
  if (watched.has(connection)) return
  watched.add(connection)
  const execute: unknown = Reflect.get(connection, "executeQuery")
  if (typeof execute !== "function") throw new Error("A connection of Kysely has executeQuery")
  Reflect.set(connection, "executeQuery", async (...args: unknown[]) => {
    await step()
    return Reflect.apply(execute, connection, args)
  })
}
