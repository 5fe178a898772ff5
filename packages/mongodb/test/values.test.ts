import { mongodb } from "@latchkey/mongodb"
import type { MongoClient } from "mongodb"
import { expect, test } from "vitest"
import { open, openNew } from "./clients.js"
import { startStandIn } from "./server/start.js"

const expires = new Date(1_900_000_000_123)
const user = { id: "u", email: "ada@example.com", emailVerified: null }

test("an object instead of a text is neither a query nor a key", async () => {
  const client = await openNew()
  const adapter = mongodb(client)
  const { id } = await adapter.createUser(user)
  await adapter.createSession({ sessionToken: "s", userId: id, expires })
  await adapter.createVerificationToken({ identifier: "i", token: "t", expires })
  const filter: string = JSON.parse(`{ "$ne": null }`)
  expect(await adapter.getUser(filter)).toBeNull()
  expect(await adapter.getUserByEmail(filter)).toBeNull()
  expect(await adapter.getUserByAccount({ provider: filter, providerAccountId: filter })).toBeNull()
  expect(await adapter.getSessionAndUser(filter)).toBeNull()
  expect(await adapter.deleteSession(filter)).toBeNull()
  expect(await adapter.useVerificationToken({ identifier: filter, token: filter })).toBeNull()
  expect(await adapter.deleteUser(filter)).toBeNull()
  await expect(adapter.createUser({ ...user, email: "\ud800" })).rejects.toThrow("lone surrogate")
  expect(await adapter.getSessionAndUser("s")).not.toBeNull()
  expect(await adapter.useVerificationToken({ identifier: "i", token: "t" })).not.toBeNull()
})

test("names of fields with dots and dollars, as OpenID Connect claims have, are stored as they are", async () => {
  const adapter = mongodb(await openNew())
  const claims = { "https://example.com/role": "admin", $set: { email: "mallory@example.com" } }
  const { id } = await adapter.createUser({ ...user, ...claims })
  expect(await adapter.getUser(id)).toMatchObject(claims)
  const changed = { "https://example.com/role": "owner", "a.b": 1 }
  await adapter.updateUser({ id, ...changed })
  expect(await adapter.getUser(id)).toEqual({ ...user, id, ...claims, ...changed })
})

test("an undefined field isn't stored, and an invalid date is rejected", async () => {
  const client = await openNew()
  const adapter = mongodb(client)
  await adapter.createUser({ ...user, name: undefined, nested: { gone: undefined, kept: 1 } } as typeof user)
  const [stored] = await client.db().collection("users").find().toArray()
  expect(Object.keys(stored ?? {}).toSorted()).toEqual(["_id", "email", "emailVerified", "nested"])
  expect(stored?.["nested"]).toEqual({ kept: 1 })
  const token = { identifier: "i", token: "t", expires: new Date(Number.NaN) }
  await expect(adapter.createVerificationToken(token)).rejects.toThrow("The date is invalid")
})

test("any number of users can have no email", async () => {
  const adapter = mongodb(await openNew())
  const without: typeof user = JSON.parse(`{ "id": "u", "email": null, "emailVerified": null }`)
  const first = await adapter.createUser(without)
  const second = await adapter.createUser(without)
  expect(first.id).not.toBe(second.id)
})

test("the error for a taken session token doesn't contain it", async () => {
  const adapter = mongodb(await openNew())
  const { id } = await adapter.createUser(user)
  const session = { sessionToken: "very-secret", userId: id, expires }
  await adapter.createSession(session)
  const error: unknown = await Promise.resolve(adapter.createSession(session)).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: "UniqueViolation", code: "LATCHKEY_UNIQUE" })
  expect(`${JSON.stringify(error)} ${String(error)} ${String(Object(error).cause)}`).not.toContain("very-secret")
})

test("a session is read with its user in one command", async () => {
  const { url, commands } = await startStandIn()
  const adapter = mongodb(open(url))
  const { id } = await adapter.createUser(user)
  await adapter.createSession({ sessionToken: "s", userId: id, expires })
  const before = commands.length
  expect(await adapter.getSessionAndUser("s")).toMatchObject({ user: { id } })
  expect(commands.slice(before).map((command) => Object.keys(command)[0])).toEqual(["aggregate"])
})

test("rows of an unknown user are rejected, and rows that a deleted user left behind are replaced", async () => {
  const client = await openNew()
  const adapter = mongodb(client)
  const account = { type: "oauth", provider: "acme", providerAccountId: "1" } as const
  await expect(adapter.linkAccount({ ...account, userId: "unknown" })).rejects.toThrow(
    "There is no user with this userId",
  )
  await expect(adapter.createSession({ sessionToken: "s", userId: "unknown", expires })).rejects.toThrow("no user")
  const { id } = await adapter.createUser(user)
  await adapter.linkAccount({ ...account, userId: id })
  await client.db().collection("users").deleteMany({})
  const again = await adapter.createUser(user)
  await adapter.linkAccount({ ...account, userId: again.id })
  expect(await adapter.getUserByAccount(account)).toMatchObject({ id: again.id })
})

test("onClose gets the client after each operation, also after one that fails", async () => {
  const client = await openNew()
  const closed: unknown[] = []
  const adapter = mongodb(() => client, {
    onClose: async (given) => {
      closed.push(given)
    },
  })
  await adapter.getUser("u")
  await expect(adapter.updateUser({ id: "u", name: "x" })).rejects.toThrow("There is no user with this id")
  expect(closed).toEqual([client, client])
})

test("a promise of a client that rejects makes operations reject, and doesn't end the process", async () => {
  const adapter = mongodb(Promise.reject<MongoClient>(new Error("no client")))
  await new Promise(setImmediate)
  await expect(adapter.getUser("u")).rejects.toThrow("no client")
})

test("sweep deletes what expired and returns the numbers", async () => {
  const adapter = mongodb(await openNew())
  const { id } = await adapter.createUser(user)
  const past = new Date(1_000_000_000_000)
  await adapter.createSession({ sessionToken: "past", userId: id, expires: past })
  await adapter.createSession({ sessionToken: "future", userId: id, expires })
  await adapter.createVerificationToken({ identifier: "i", token: "t", expires: past })
  expect(await adapter.sweep({ before: past })).toEqual({
    sessions: 0,
    verificationTokens: 0,
    rateLimits: 0,
    records: 0,
  })
  expect(await adapter.sweep()).toEqual({ sessions: 1, verificationTokens: 1, rateLimits: 0, records: 0 })
  expect(await adapter.listSessions(id)).toEqual([{ sessionToken: "future", userId: id, expires }])
})
