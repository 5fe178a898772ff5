import type { NewRecord } from "@latchkey/core/adapters"
import { drizzle } from "@latchkey/drizzle"
import * as mysqlTables from "@latchkey/drizzle/mysql"
import * as pgTables from "@latchkey/drizzle/pg"
import * as sqliteTables from "@latchkey/drizzle/sqlite"
import { describe, expect, inject, test } from "vitest"
import { betterSqlite, mysql2, nodePostgres } from "./databases.js"

const ada = { id: "ada", email: "ada@example.com", emailVerified: null }
const record: NewRecord = {
  kind: "test.record",
  key: "1",
  owner: "ada",
  index1: null,
  index2: null,
  data: "{}",
  expiresAt: new Date(1),
}

type Opened = ReturnType<typeof drizzle>

/** The application passes the tables of this release, but its database is of the release before. */
async function worksWithoutTable(adapter: Opened): Promise<void> {
  const { id } = await adapter.createUser(ada)
  await expect(adapter.records?.get("test.record", "1")).rejects.toThrow("Create it with your migrations")
  expect(await adapter.sweep()).toMatchObject({ records: 0 })
  expect(await adapter.deleteUser(id)).toMatchObject({ id })
  const again = await adapter.createUser(ada)
  await adapter.transaction?.(async (inside) => {
    await inside.deleteUser?.(again.id)
    await inside.createUser?.({ ...ada, name: "Ada" })
  })
  const { name } = (await adapter.getUserByEmail(ada.email)) ?? {}
  expect(name).toBe(adapter.transaction ? "Ada" : null)
}

test("without the table of records in SQLite, only records don't work", async () => {
  const { records: _records, ...former } = sqliteTables
  await worksWithoutTable(drizzle(await betterSqlite(former), sqliteTables))
})

describe.skipIf(inject("postgres") === undefined || inject("mariadb") === undefined)("on servers", () => {
  test("without the table of records in PostgreSQL, only records don't work", async () => {
    const { records: _records, ...former } = pgTables
    await worksWithoutTable(drizzle(await nodePostgres("drizzle_former", former), pgTables))
  })

  test("without the table of records in MariaDB, only records don't work", async () => {
    const { records: _records, ...former } = mysqlTables
    await worksWithoutTable(drizzle(await mysql2("drizzle_former", former), mysqlTables))
  })
})

test("a sweep deletes records that have expired", async () => {
  const adapter = drizzle(await betterSqlite(sqliteTables), sqliteTables)
  await adapter.records?.insert(record, new Date(0))
  await adapter.records?.insert({ ...record, key: "2", expiresAt: null }, new Date(0))
  expect(await adapter.sweep()).toMatchObject({ records: 1 })
  expect(await adapter.records?.get("test.record", "2")).toMatchObject({ key: "2" })
})
