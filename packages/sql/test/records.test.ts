import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { NewRecord } from "@latchkey/core/adapters"
import type { SqlAdapter, SqlAdapterOptions } from "@latchkey/sql"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import { createConnection } from "mysql2/promise"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { inDatabase, newDatabase, newMysqlDatabase, temporaryFolder } from "./databases.js"

const ada = { id: "ada", email: "ada@example.com", emailVerified: null }
const now = new Date("2031-01-01T00:00:00Z")
const record: NewRecord = {
  kind: "test.record",
  key: "1",
  owner: "ada",
  index1: null,
  index2: null,
  data: "{}",
  expiresAt: null,
}
const advice = "The database has no table latchkey_records. Run `npx latchkey db apply`, or `migrate()` of the adapter."

interface Opened {
  adapter(options?: SqlAdapterOptions): SqlAdapter
  run(statement: string): Promise<unknown>
}

type Open = (name: string) => Promise<Opened>

const openSqlite: Open = async () => {
  const file = join(await temporaryFolder(), "a.db")
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  return { adapter: (options) => closing(sqlite(file, options)), run: async (statement) => database.exec(statement) }
}

const openPostgres: Open = async (name) => {
  const connectionString = await newDatabase(`records_${name}`)
  return {
    adapter: (options) => closing(postgres({ connectionString, ...options })),
    run: (statement) => inDatabase(connectionString, statement),
  }
}

const openMysql: Open = async (name) => {
  const connectionString = await newMysqlDatabase(`records_${name}`)
  const connection = await createConnection(connectionString)
  onTestFinished(() => connection.end())
  return {
    adapter: (options) => closing(mysql({ connectionString, ...options })),
    run: (statement) => connection.query(statement),
  }
}

function closing(adapter: SqlAdapter): SqlAdapter {
  onTestFinished(() => adapter.close())
  return adapter
}

describe.each([
  ["SQLite", "sqlite", openSqlite],
  ["PostgreSQL", "postgres", openPostgres],
  ["MariaDB", "mariadb", openMysql],
] as const)("records in %s", (_name, server, open) => {
  describe.skipIf(server !== "sqlite" && inject(server) === undefined)("on the server", () => {
    test("the first use creates their table only", async () => {
      const { adapter, run } = await open("alone")
      await run("create table users (id varchar(9), nickname varchar(9))")
      expect(await adapter().records.insert(record, now)).toBe(true)
      expect(await adapter().records.get(record.kind, record.key)).toEqual({ ...record, version: 1 })
      await run("drop table users")
      const whole = adapter()
      await whole.createUser(ada)
      expect(await whole.plan()).toEqual([])
      await whole.deleteUser("ada")
      expect(await whole.records.get(record.kind, record.key)).toBeNull()
    })

    test("without their table, only records don't work, and the error has the command", async () => {
      const { adapter, run } = await open("former")
      await adapter().migrate()
      await run("drop table latchkey_records")
      const former = adapter({ autoMigrate: false })
      await expect(former.records.get("test.record", "1")).rejects.toThrow(advice)
      await expect(former.records.insert(record, now)).rejects.toThrow(advice)
      await expect(former.records.removeOwned("ada")).rejects.toThrow(advice)
      await former.createUser(ada)
      expect(await former.sweep()).toMatchObject({ records: 0 })
      await former.transaction(async (inside) => {
        await inside.deleteUser?.("ada")
        await inside.createUser?.({ ...ada, id: "2" })
      })
      expect(await former.getUserByEmail(ada.email)).toMatchObject({ id: "2" })
      await former.records.migrate()
      expect(await former.records.insert({ ...record, owner: "2" }, now)).toBe(true)
      await former.deleteUser("2")
      expect(await former.records.get(record.kind, record.key)).toBeNull()
    })

    test("several processes can create their table at once", async () => {
      const { adapter } = await open("parallel")
      const stored = await Promise.all(Array.from({ length: 8 }, async () => adapter().records.insert(record, now)))
      expect(stored.filter(Boolean)).toHaveLength(1)
    })

    test("records that are written in a transaction are there with the rest, or not at all", async () => {
      const { adapter } = await open("transaction")
      const store = adapter()
      const sign = async (fails: boolean) =>
        store.transaction(async (inside) => {
          await inside.createUser?.(ada)
          expect(await inside.records?.insert(record, now)).toBe(true)
          expect(await inside.records?.get(record.kind, record.key)).toMatchObject({ owner: "ada" })
          if (fails) throw new Error("rolled back")
        })
      await store.migrate()
      await expect(sign(true)).rejects.toThrow("rolled back")
      expect(await store.records.get(record.kind, record.key)).toBeNull()
      await sign(false)
      expect(await store.records.get(record.kind, record.key)).toMatchObject({ owner: "ada" })
      expect(await store.getUser("ada")).toMatchObject(ada)
    })

    test("a sweep deletes those that have expired", async () => {
      const adapter = (await open("sweep")).adapter({ prefix: "auth_" })
      await adapter.migrate()
      for (const [at, expiresAt] of [new Date(0), new Date(1), new Date("2200-01-01"), null].entries())
        await adapter.records.insert({ ...record, key: String(at), expiresAt }, new Date(-1))
      const batches: unknown[] = []
      expect(await adapter.sweep({ batchSize: 1, onBatch: (batch) => batches.push(batch) })).toMatchObject({
        records: 2,
      })
      expect(batches).toContainEqual({ table: "auth_latchkey_records", rows: 1 })
      const kept = await adapter.records.find(record.kind, { owner: "ada" }, { limit: 9 })
      expect(kept.records.map(({ key }) => key)).toEqual(["2", "3"])
    })

    test("text that the database can't store is rejected, and isn't found", async () => {
      const { records } = (await open("unstorable")).adapter()
      for (const text of ["a\0", "\ud800"]) {
        await expect(records.insert({ ...record, key: text }, now)).rejects.toThrow("can't store")
        await expect(records.insert({ ...record, data: text }, now)).rejects.toThrow("can't store")
        expect(await records.get(record.kind, text)).toBeNull()
        expect(await records.find(record.kind, { index1: text }, { limit: 1 })).toEqual({ records: [] })
      }
    })
  })
})

describe.skipIf(inject("postgres") === undefined)("for a role that can't create tables", () => {
  test("everything but records works on the tables of the former release", async () => {
    const url = await newDatabase("records_rights")
    await closing(postgres(url)).migrate()
    await inDatabase(
      url,
      `drop table latchkey_records; delete from latchkey_migrations where name = '0006_records';
       drop role if exists reader; create role reader login;
       grant select, insert, update, delete on all tables in schema public to reader`,
    )
    const readers = new URL(url)
    readers.username = "reader"
    const adapter = closing(postgres(readers.href))
    await adapter.createUser(ada)
    await expect(adapter.records.get("test.record", "1")).rejects.toThrow(advice)
    expect(await adapter.deleteUser("ada")).toMatchObject(ada)
    expect(await adapter.check()).toEqual([
      {
        level: "warning",
        problem: "The table latchkey_records is missing. Modules can't store anything.",
        fix: "Run `npx latchkey db apply`, or `migrate()` of the adapter.",
      },
    ])
    await inDatabase(url, "drop owned by reader; drop role reader")
  })
})
