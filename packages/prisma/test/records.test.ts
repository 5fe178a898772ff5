import { prisma } from "@latchkey/prisma"
import { describe, expect, inject, test } from "vitest"
import { overPg, overSqlite } from "./clients.js"
import { statementsFor } from "./tables.js"

const ada = { id: "ada", email: "ada@example.com", emailVerified: null }

test("without transactions, there are no records", async () => {
  expect(prisma(await overSqlite("latchkey")).records).toBeUndefined()
})

describe.skipIf(inject("postgres") === undefined)("on a PostgreSQL server", () => {
  test("without the model of records, there are none", async () => {
    expect(prisma(await overPg("prisma_no_records", "published")).records).toBeUndefined()
  })

  test("before the migration that adds their table, only records don't work", async () => {
    const tables = statementsFor("postgresql", "latchkey").filter((text) => !text.includes("latchkey_records"))
    const adapter = prisma(await overPg("prisma_former", "latchkey", { tables }))
    const { id } = await adapter.createUser(ada)
    await expect(adapter.records?.get("test.record", "1")).rejects.toThrow("Run `prisma migrate deploy`.")
    expect(await adapter.sweep()).toMatchObject({ records: 0 })
    await adapter.deleteUser(id)
    const again = await adapter.createUser(ada)
    await adapter.transaction?.(async (inside) => {
      await inside.deleteUser?.(again.id)
      await inside.createUser?.({ ...ada, name: "Ada" })
    })
    expect(await adapter.getUserByEmail(ada.email)).toMatchObject({ name: "Ada" })
  })

  test("a sweep deletes records that have expired", async () => {
    const adapter = prisma(await overPg("prisma_sweep_records", "latchkey"))
    const none = { kind: "test.record", owner: null, index1: null, index2: null, data: "{}" }
    await adapter.records?.insert({ ...none, key: "1", expiresAt: new Date(1) }, new Date(0))
    await adapter.records?.insert({ ...none, key: "2", expiresAt: null }, new Date(0))
    expect(await adapter.sweep()).toMatchObject({ records: 1 })
    expect(await adapter.records?.get("test.record", "2")).toMatchObject({ key: "2" })
  })
})
