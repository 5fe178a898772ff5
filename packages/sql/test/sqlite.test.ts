import { existsSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { sqlAdapter } from "@latchkey/sql"
import { sqlite } from "@latchkey/sql/sqlite"
import Database from "better-sqlite3"
import { SqliteDialect } from "kysely"
import { SqliteDialect as NewerSqliteDialect } from "kysely-0.29"
import { describe, expect, test } from "vitest"
import { temporaryFolder } from "./databases.js"

const ada = { id: "1", email: "ada@example.com", emailVerified: null }

test("the file is created at the first use, in WAL mode", async () => {
  const file = join(await temporaryFolder(), "a.db")
  const adapter = sqlite(file)
  expect(existsSync(file)).toBe(false)
  await adapter.createUser(ada)
  const beside = new DatabaseSync(file)
  expect(beside.prepare("pragma journal_mode").get()).toEqual({ journal_mode: "wal" })
  beside.close()
  await adapter.close()
})

test("the error for a file that can't be opened names it, and the next call tries again", async () => {
  const folder = await temporaryFolder()
  const adapter = sqlite(join(folder, "missing", "a.db"))
  const message = /^Can't open the SQLite database .*a\.db\. Check the path and its permissions\.$/
  await expect(adapter.getUser("1")).rejects.toThrow(message)
  await expect(adapter.getUser("1")).rejects.toThrow(message)
})

test("using the outer adapter in a transaction fails after the timeout", async () => {
  const adapter = sqlite(":memory:", { timeout: 50 })
  const work = adapter.transaction(async (inside) => {
    await inside.createUser?.(ada)
    await adapter.getUser("1")
  })
  await expect(work).rejects.toThrow("In the callback of `transaction`, use only the adapter that it receives.")
  expect(await adapter.getUser("1")).toBeNull()
  await adapter.close()
})

test("a call that timed out doesn't run later", async () => {
  const adapter = sqlite(":memory:", { timeout: 50 })
  await adapter.createUser(ada)
  let finish = (): void => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const work = adapter.transaction(() => finished)
  await expect(adapter.deleteUser("1")).rejects.toThrow("A transaction has locked the database for 50 ms")
  finish()
  await work
  expect(await adapter.getUser("1")).toMatchObject(ada)
  await adapter.close()
})

test("another connection can't write between a transaction's read and write", async () => {
  const file = join(await temporaryFolder(), "a.db")
  const [one, two] = [sqlite(file, { timeout: 60_000 }), sqlite(file, { timeout: 60_000 })]
  await one.createUser(ada)
  const beside: PromiseLike<unknown>[] = []
  await two.getUser("1")
  await one.transaction(async (inside) => {
    await inside.getUser?.("1")
    beside.push(Promise.resolve(two.createUser({ ...ada, id: "2", email: "2@x.test" })))
    await new Promise((resolve) => setImmediate(resolve))
    await inside.createUser?.({ ...ada, id: "3", email: "3@x.test" })
  })
  await Promise.all(beside)
  expect(await one.getUser("2")).toMatchObject({ id: "2" })
  expect(await one.getUser("3")).toMatchObject({ id: "3" })
  await one.close()
  await two.close()
})

test("a call waits for a database that another process has locked, then fails", async () => {
  const file = join(await temporaryFolder(), "a.db")
  const adapter = sqlite(file, { timeout: 20 })
  await adapter.migrate()
  const beside = new DatabaseSync(file)
  beside.exec("begin immediate")
  await expect(adapter.createUser(ada)).rejects.toThrow(
    "Another connection has locked the database for 20 ms. Try again.",
  )
  expect(await adapter.getUser("1")).toBeNull()
  beside.exec("rollback")
  beside.close()
  await adapter.createUser(ada)
  await adapter.close()
})

test("a closed adapter rejects calls", async () => {
  const adapter = sqlite(":memory:")
  await adapter.createUser(ada)
  await adapter.close()
  await expect(adapter.getUser("1")).rejects.toThrow("destroyed")
})

describe("a database of your own", () => {
  test.each([
    ["better-sqlite3", (file: string) => new Database(file)],
    ["node:sqlite", (file: string) => new DatabaseSync(file)],
  ])("of %s is used, with foreign keys, and closed by `close`", async (_name, openFile) => {
    const file = join(await temporaryFolder(), "a.db")
    const database = openFile(file)
    database.exec("pragma foreign_keys = OFF")
    const adapter = sqlite(database)
    await adapter.createUser(ada)
    await expect(
      adapter.linkAccount({ userId: "2", provider: "acme", providerAccountId: "1", type: "oauth" }),
    ).rejects.toThrow("There is no user with this userId")
    expect(database.prepare("select email from users").all()).toEqual([expect.objectContaining({ email: ada.email })])
    await adapter.close()
    expect(() => database.prepare("select 1")).toThrow(/not open/)
  })

  test("must be synchronous, or a file name", () => {
    // @ts-expect-error -- for JavaScript
    expect(() => sqlite({ execute: () => [] })).toThrow("`sqlite` needs a file name, or a database of")
  })
})

test.each([
  ["0.28", (database: Database.Database) => new SqliteDialect({ database })],
  ["0.29", (database: Database.Database) => new NewerSqliteDialect({ database })],
])("through the dialect of Kysely %s, a call waits for a transaction", async (_version, dialect) => {
  const adapter = sqlAdapter(dialect(new Database(":memory:")))
  await adapter.createUser(ada)
  const beside: PromiseLike<unknown>[] = []
  const work = adapter.transaction(async (inside) => {
    await inside.updateUser?.({ id: "1", name: "Ada" })
    beside.push(Promise.resolve(adapter.createUser({ ...ada, id: "2", email: "2@x.test" })))
    await new Promise((resolve) => setImmediate(resolve))
    throw new Error("Roll back.")
  })
  await expect(work).rejects.toThrow("Roll back.")
  await Promise.all(beside)
  expect(await adapter.getUser("2")).toMatchObject({ id: "2" })
  expect((await adapter.getUser("1"))?.name).toBeNull()
  await adapter.close()
})
