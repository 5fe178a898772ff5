import { join } from "node:path"
import { createClient } from "@libsql/client"
import { libsql } from "@latchkey/sql/libsql"
import { describe, expect, onTestFinished, test } from "vitest"
import { conforms } from "./conforms.js"
import { folderOfFile, temporaryFolder } from "./databases.js"
import { drizzleTables } from "./layout-tables.js"

const ada = { id: "1", email: "ada@example.com", emailVerified: null }
const folder = folderOfFile()

conforms("libSQL in a file", () => libsql(`file:${join(folder, "a.db")}`))
conforms("libSQL in memory", () => libsql(":memory:"))
conforms("libSQL in a client that reads integers as text", () =>
  libsql(createClient({ url: `file:${join(folder, "b.db")}`, intMode: "string" }), { prefix: "auth_" }),
)

test("the file is in WAL mode, and `close` closes the client", async () => {
  const url = `file:${join(await temporaryFolder(), "a.db")}`
  const client = createClient({ url })
  const adapter = libsql({ url })
  await adapter.createUser(ada)
  expect((await client.execute("pragma journal_mode")).rows).toEqual([{ journal_mode: "wal" }])
  await adapter.close()
  const own = libsql(client)
  expect(await own.getUser("1")).toMatchObject(ada)
  await own.close()
  expect(client.closed).toBe(true)
})

test("a call waits for a transaction of another client, then fails", async () => {
  const url = `file:${join(await temporaryFolder(), "a.db")}`
  const adapter = libsql(url, { timeout: 20 })
  await adapter.migrate()
  const beside = createClient({ url })
  onTestFinished(() => beside.close())
  const transaction = await beside.transaction("write")
  await expect(adapter.createUser(ada)).rejects.toThrow("Another connection has locked the database for 20 ms.")
  await transaction.rollback()
  await adapter.createUser(ada)
  await adapter.close()
})

test("a write that waited for another connection is committed when the call returns", async () => {
  const url = `file:${join(await temporaryFolder(), "a.db")}`
  const client = createClient({ url, concurrency: 2 })
  const adapter = libsql(client)
  await adapter.createUser(ada)
  const beside = createClient({ url })
  onTestFinished(() => beside.close())
  const transaction = await beside.transaction("write")
  const waiting = Promise.resolve(adapter.createUser({ ...ada, id: "2", email: "2@x.test" }))
  await new Promise((resolve) => setImmediate(resolve))
  await transaction.rollback()
  await waiting
  await adapter.createUser({ ...ada, id: "3", email: "3@x.test" })
  expect((await beside.execute("select id from users order by id")).rows).toEqual([
    { id: "1" },
    { id: "2" },
    { id: "3" },
  ])
  await adapter.close()
})

test("in memory, a call waits for a transaction", async () => {
  const adapter = libsql(":memory:")
  await adapter.createUser(ada)
  const beside: PromiseLike<unknown>[] = []
  await adapter.transaction(async (inside) => {
    beside.push(Promise.resolve(adapter.createUser({ ...ada, id: "2", email: "2@x.test" })))
    await new Promise((resolve) => setImmediate(resolve))
    await inside.createUser?.({ ...ada, id: "3", email: "3@x.test" })
  })
  await Promise.all(beside)
  expect(await adapter.getUser("2")).toMatchObject({ id: "2" })
  expect(await adapter.getUser("3")).toMatchObject({ id: "3" })
  await adapter.close()
})

test("bytes in a column of the application stay bytes if the user is written back", async () => {
  const client = createClient({ url: `file:${join(await temporaryFolder(), "a.db")}` })
  await client.executeMultiple(drizzleTables("").replace("image text", "image text, picture blob"))
  const adapter = libsql(client)
  onTestFinished(() => adapter.close())
  const user = await adapter.createUser({ ...ada, picture: new Uint8Array([0, 255, 39]) } as typeof ada)
  const after = await adapter.updateUser({ ...user, name: "Ada" })
  expect(Reflect.get(after, "picture")).toEqual(new Uint8Array([0, 255, 39]).buffer)
})

describe("over HTTP", () => {
  test("the error for an unreachable server says what to check and has no token", async () => {
    const adapter = libsql({ url: "http://127.0.0.1:2", authToken: "secret-token" })
    const error: unknown = await Promise.resolve(adapter.getUser("1")).catch((reason: unknown) => reason)
    expect(Object(error).message).toMatch(/^Can't connect to libSQL\. Check the connection string/)
    expect(`${JSON.stringify(error)} ${String(Object(error).cause)}`).not.toContain("secret-token")
  })
})
