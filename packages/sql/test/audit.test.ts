import { join } from "node:path"
import { auditTable, type AuditRow } from "@latchkey/sql/audit"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import type { SqlAdapter, SqlAdapterOptions } from "@latchkey/sql"
import { sqlite } from "@latchkey/sql/sqlite"
import { afterEach, describe, expect, inject, test } from "vitest"
import { inDatabase, newDatabase, newMysqlDatabase, temporaryFolder } from "./databases.js"

type Open = (options?: SqlAdapterOptions) => SqlAdapter

const databases: readonly { readonly name: string; readonly runs: boolean; create(): Promise<Open> }[] = [
  {
    name: "SQLite",
    runs: true,
    create: async () => {
      const file = join(await temporaryFolder(), "app.db")
      return (options) => sqlite(file, options)
    },
  },
  {
    name: "PostgreSQL",
    runs: inject("postgres") !== undefined,
    create: async () => {
      const connectionString = await newDatabase("audit_table")
      return (options) => postgres({ connectionString, ...options })
    },
  },
  {
    name: "MariaDB",
    runs: inject("mariadb") !== undefined,
    create: async () => {
      const connectionString = await newMysqlDatabase("audit_table")
      return (options) => mysql({ connectionString, ...options })
    },
  },
]

const opened: SqlAdapter[] = []
afterEach(async () => {
  for (const adapter of opened.splice(0)) await adapter.close()
})

function row(index: number, more: Partial<AuditRow> = {}): AuditRow {
  const id = `id-${String(index).padStart(4, "0")}`
  return { id, at: 1000 + index, name: "sign-in", userId: "ada", entry: `{"index":${index}}`, ...more }
}

const idsOf = (rows: readonly AuditRow[]) => rows.map(({ id }) => id)

describe.each(databases.filter(({ runs }) => runs))("the audit table of $name", ({ create }) => {
  async function started() {
    const open = await create()
    const start = (options?: SqlAdapterOptions) => {
      const adapter = open(options)
      opened.push(adapter)
      return adapter
    }
    return { start, adapter: start() }
  }

  test("is part of `plan()` and `migrate()` of the adapter as soon as it's opened, and not before", async () => {
    const { adapter } = await started()
    const mentions = async () =>
      (await adapter.plan()).filter((statement) => statement.includes("latchkey_audit")).length
    expect(await mentions()).toBe(0)
    auditTable(adapter)
    expect(await mentions()).toBe(3)
    await adapter.migrate()
    expect(await adapter.plan()).toEqual([])
    await adapter.migrate()
  })

  test("is created at the first use, by one of many processes", async () => {
    const { start } = await started()
    const tables = Array.from({ length: 5 }, () => auditTable(start()))
    await Promise.all(tables.map(async (table, index) => table.append([row(index)])))
    expect(await tables[0]?.find({ limit: 10 })).toHaveLength(5)
    expect(await tables[0]?.plan()).toEqual([])
  })

  test("without the right to create it, says what to do", async () => {
    const { start } = await started()
    const table = auditTable(start({ autoMigrate: false }))
    await expect(table.append([row(1)])).rejects.toThrow("db apply")
  })

  test("keeps what it's given, newest first, page by page, for a user, a name and a time", async () => {
    const { adapter } = await started()
    const table = auditTable(adapter)
    const rows = Array.from({ length: 50 }, (_, index) =>
      row(index, {
        ...(index % 2 === 1 && { userId: "grace" }),
        ...(index % 10 === 0 && { name: "sign-out", userId: null }),
      }),
    )
    await table.append(rows)
    expect(await table.find({ limit: 100 })).toEqual(rows.toReversed())
    const first = await table.find({ limit: 20 })
    expect(await table.find({ limit: 100, before: first.at(-1)?.id ?? "" })).toEqual(rows.slice(0, 30).toReversed())
    expect(idsOf(await table.find({ limit: 2, userId: "grace" }))).toEqual(["id-0049", "id-0047"])
    expect(idsOf(await table.find({ limit: 9, name: "sign-out", from: 1010, to: 1030 }))).toEqual([
      "id-0020",
      "id-0010",
    ])
    expect(await table.find({ limit: 9, userId: "GRACE" })).toEqual([])
    expect(await table.find({ limit: 9, userId: "x' or '1'='1" })).toEqual([])
  })

  test("ignores rows that it has, one by one", async () => {
    const { adapter } = await started()
    const table = auditTable(adapter)
    await table.append([row(1), row(2)])
    await table.append([row(2, { entry: "another" }), row(3), row(1)])
    expect((await table.find({ limit: 9 })).map(({ entry }) => entry)).toEqual([
      '{"index":3}',
      '{"index":2}',
      '{"index":1}',
    ])
  })

  test("keeps text that is SQL, has quotes, or is very long", async () => {
    const { adapter } = await started()
    const table = auditTable(adapter)
    const entry = `"'; drop table latchkey_audit; -- \\ ? $1 ${"😀".repeat(20_000)}`
    const odd = row(1, { userId: "a'; drop table latchkey_audit; --", name: "x' --", entry })
    await table.append([odd, row(2, { userId: "u".repeat(2000) })])
    const [second, first] = await table.find({ limit: 9 })
    expect(first).toEqual(odd)
    expect(second?.entry).toBe('{"index":2}')
  })

  test.each(["NUL \0", "a lone surrogate \ud800"])("keeps a row without its user whose id has %j", async (userId) => {
    const { adapter } = await started()
    const table = auditTable(adapter)
    await table.append([row(1), row(2, { userId }), row(3)])
    expect((await table.find({ limit: 9 })).map((each) => each.userId)).toEqual(["ada", null, "ada"])
    expect(await table.find({ limit: 9, userId })).toEqual([])
  })

  test("deletes what is older, and says how much", async () => {
    const { adapter } = await started()
    const table = auditTable(adapter)
    await table.append(Array.from({ length: 2500 }, (_, index) => row(index)))
    expect(await table.purge(new Date(1000 + 2400))).toBe(2400)
    expect(await table.find({ limit: 999 })).toHaveLength(100)
    expect(await table.purge(new Date(0))).toBe(0)
  })
})

test.runIf(inject("postgres") !== undefined)("a role that may only insert can write, twice too", async () => {
  const connectionString = await newDatabase("audit_rights")
  const owner = postgres({ connectionString })
  opened.push(owner)
  auditTable(owner)
  await owner.migrate()
  await inDatabase(
    connectionString,
    "drop role if exists audit_writer; create role audit_writer login password 'writer'; grant insert on latchkey_audit to audit_writer",
  )
  const url = new URL(connectionString)
  url.username = "audit_writer"
  url.password = "writer"
  const writer = postgres({ connectionString: url.href, autoMigrate: false })
  opened.push(writer)
  await auditTable(writer).append([row(1)])
  await auditTable(writer).append([row(1), row(2)])
  expect(await auditTable(owner).find({ limit: 9 })).toHaveLength(2)
  await expect(auditTable(writer).purge(new Date())).rejects.toThrow()
})

test("an adapter of another package is refused", () => {
  expect(() => auditTable({} as SqlAdapter)).toThrow("postgres()")
})
