import { mongodb } from "@latchkey/mongodb"
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from "vitest"
import { open, openNew } from "./clients.js"
import { startStandIn } from "./server/start.js"

let warn: MockInstance<typeof console.warn>
beforeEach(() => {
  warn = vi.spyOn(console, "warn").mockImplementation(() => undefined)
})
afterEach(() => warn.mockRestore())

const user = (id: string, email = `${id}@example.com`) => ({ id, email, emailVerified: null })

test("plan lists the indexes, migrate creates them, and nothing is left to do", async () => {
  const adapter = mongodb(await openNew(), { autoMigrate: false, collections: { Users: "people" } })
  expect(await adapter.plan()).toEqual([
    `db.getCollection("people").createIndex({"email":1}, {"unique":true,"partialFilterExpression":{"email":{"$gte":""}}})`,
    `db.getCollection("accounts").createIndex({"provider":1,"providerAccountId":1}, {"unique":true})`,
    `db.getCollection("accounts").createIndex({"userId":1}, {})`,
    `db.getCollection("sessions").createIndex({"sessionToken":1}, {"unique":true})`,
    `db.getCollection("sessions").createIndex({"userId":1}, {})`,
    `db.getCollection("sessions").createIndex({"expires":1}, {"expireAfterSeconds":0})`,
    `db.getCollection("verification_tokens").createIndex({"identifier":1,"token":1}, {"unique":true})`,
    `db.getCollection("verification_tokens").createIndex({"expires":1}, {"expireAfterSeconds":0})`,
    `db.getCollection("authenticators").createIndex({"credentialID":1}, {"unique":true})`,
    `db.getCollection("authenticators").createIndex({"userId":1}, {})`,
    `db.getCollection("latchkey_records").createIndex({"owner":1,"kind":1,"key":1}, {})`,
    `db.getCollection("latchkey_records").createIndex({"index1":1,"kind":1,"key":1}, {})`,
    `db.getCollection("latchkey_records").createIndex({"index2":1,"kind":1,"key":1}, {})`,
    `db.getCollection("latchkey_records").createIndex({"expiresAt":1}, {"expireAfterSeconds":60})`,
  ])
  expect(await adapter.check()).toContainEqual({
    level: "error",
    problem: "The collection people has no unique index on email.",
    fix: expect.stringContaining(`Run db.getCollection("people").createIndex({"email":1}`),
  })
  await adapter.migrate()
  await adapter.migrate()
  expect(await adapter.plan()).toEqual([])
  expect(await adapter.check()).toEqual([])
})

test("reading creates no indexes, and writing creates them once", async () => {
  const { url, commands } = await startStandIn()
  const adapter = mongodb(open(url))
  const created = () => commands.filter((command) => "createIndexes" in command).length
  await adapter.getUserByEmail("ada@example.com")
  await adapter.getSessionAndUser("s")
  await adapter.useVerificationToken({ identifier: "a", token: "b" })
  expect(created()).toBe(0)
  await Promise.all(["1", "2", "3"].map(async (id) => adapter.createUser(user(id))))
  expect(created()).toBe(14)
  await mongodb(open(url)).createUser(user("4"))
  expect(created()).toBe(14)
})

test("the query for an email contains the condition of the partial index, so that MongoDB uses the index", async () => {
  const { url, commands } = await startStandIn()
  const client = open(url)
  const adapter = mongodb(client)
  await adapter.migrate()
  await adapter.getUserByEmail("ada@example.com")
  const [index] = (await client.db().collection("users").listIndexes().toArray()).filter(({ key }) => "email" in key)
  const query = commands.find((command) => "find" in command)
  expect(query?.["filter"]).toMatchObject(index?.["partialFilterExpression"])
})

test("an index that the application created is enough", async () => {
  const client = await openNew()
  await client.db().collection("users").createIndex({ email: 1 }, { unique: true, name: "mine" })
  const adapter = mongodb(client)
  await adapter.migrate()
  expect(await adapter.check()).toEqual([])
})

test("duplicates don't keep users from signing in, but a warning and check name them", async () => {
  const client = await openNew()
  await client
    .db()
    .collection("users")
    .insertMany([{ email: "twice@example.com" }, { email: "twice@example.com" }])
  const adapter = mongodb(client)
  const { id } = await adapter.createUser(user("new"))
  await adapter.createSession({ sessionToken: "s", userId: id, expires: new Date(1_900_000_000_000) })
  expect(await adapter.getSessionAndUser("s")).toMatchObject({ user: { id } })
  expect(warn).toHaveBeenCalledOnce()
  expect(warn).toHaveBeenCalledWith(expect.stringContaining("Could not create the indexes in MongoDB"))
  expect(await adapter.check()).toContainEqual(
    expect.objectContaining({ level: "error", problem: "The collection users has no unique index on email." }),
  )
  await expect(adapter.migrate()).rejects.toThrow("E11000")
  // The other indexes exist.
  expect(await adapter.plan()).toHaveLength(1)
})

test("without unique indexes, two users can have one email", async () => {
  const adapter = mongodb(await openNew(), { autoMigrate: false })
  await adapter.createUser(user("1", "same@example.com"))
  await adapter.createUser(user("2", "same@example.com"))
  expect(warn).not.toHaveBeenCalled()
})

test("a failed connection doesn't count as a migration", async () => {
  const { url, breakAt, repair, commands } = await startStandIn()
  const adapter = mongodb(open(url))
  breakAt(1, "before")
  await expect(adapter.createUser(user("1"))).rejects.toThrow()
  repair()
  await adapter.createUser(user("1"))
  expect(commands.filter((command) => "createIndexes" in command)).toHaveLength(14)
  expect(warn).not.toHaveBeenCalled()
})
