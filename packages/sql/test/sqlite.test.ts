import { join } from "node:path"
import { sqlite } from "@latchkey/sql/sqlite"
import Database from "better-sqlite3"
import { expect, test } from "vitest"
import { temporaryFolder } from "./databases.js"

const ada = { id: "1", email: "ada@example.com", emailVerified: null }

test("the file is in WAL mode, and is not made before the first use", async () => {
  const file = join(await temporaryFolder(), "a.db")
  const adapter = sqlite(file)
  expect(() => new Database(file, { fileMustExist: true })).toThrow("unable to open")
  await adapter.createUser(ada)
  const beside = new Database(file)
  expect(beside.pragma("journal_mode", { simple: true })).toBe("wal")
  beside.close()
  await adapter.close()
})

test("a file that cannot be opened is named, and the next call tries again", async () => {
  const folder = await temporaryFolder()
  const adapter = sqlite(join(folder, "missing", "a.db"))
  const told = /^The SQLite database .*a\.db cannot be opened: check the path and its rights$/
  await expect(adapter.getUser("1")).rejects.toThrow(told)
  await expect(adapter.getUser("1")).rejects.toThrow(told)
})

test("using the outer adapter inside a transaction fails after the timeout instead of hanging", async () => {
  const adapter = sqlite(":memory:", { timeout: 50 })
  const work = adapter.transaction(async (inside) => {
    await inside.createUser?.(ada)
    await adapter.getUser("1")
  })
  await expect(work).rejects.toThrow("inside `transaction` use only the adapter that it hands to its work")
  expect(await adapter.getUser("1")).toBeNull()
  await adapter.close()
})

test("a caller that gave up waiting is not served later", async () => {
  const adapter = sqlite(":memory:", { timeout: 50 })
  await adapter.createUser(ada)
  let finish = (): void => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const work = adapter.transaction(() => finished)
  await expect(adapter.deleteUser("1")).rejects.toThrow("A transaction has held the database for 50 ms")
  finish()
  await work
  expect(await adapter.getUser("1")).toMatchObject(ada)
  await adapter.close()
})

test("a transaction that reads before it writes is not overtaken by another connection", async () => {
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

test("a database that another process writes to is waited for, then told about", async () => {
  const file = join(await temporaryFolder(), "a.db")
  const adapter = sqlite(file, { timeout: 20 })
  await adapter.migrate()
  const beside = new Database(file)
  beside.exec("begin immediate")
  await expect(adapter.createUser(ada)).rejects.toThrow("Another connection has held the database for 20 ms: try again")
  expect(await adapter.getUser("1")).toBeNull()
  beside.exec("rollback")
  beside.close()
  await adapter.createUser(ada)
  await adapter.close()
})

test("a closed adapter says so", async () => {
  const adapter = sqlite(":memory:")
  await adapter.createUser(ada)
  await adapter.close()
  await expect(adapter.getUser("1")).rejects.toThrow("destroyed")
})
