import { MongoDBAdapter as PublishedAdapter } from "@auth/mongodb-adapter"
import type { Adapter, AdapterAccount } from "@latchkey/core/adapters"
import { mongodb } from "@latchkey/mongodb"
import type { MongoClient } from "mongodb"
import { ObjectId } from "mongodb"
import { expect, test } from "vitest"
import { openNew } from "./clients.js"

const expires = new Date(1_900_000_000_123)

/** The published adapter accepts every user of ours. Its types come from `@auth/core`. */
function published(client: MongoClient): Required<Adapter> {
  return PublishedAdapter(client) as unknown as Required<Adapter>
}

async function fill(adapter: Adapter) {
  const given = {
    id: crypto.randomUUID(),
    email: "ada@example.com",
    emailVerified: expires,
    name: "Ada",
    role: "admin",
  }
  const user = await adapter.createUser?.(given)
  if (!user) throw new Error("The adapter has no createUser")
  const account: AdapterAccount = {
    userId: user.id,
    type: "oidc",
    provider: "acme",
    providerAccountId: "108",
    access_token: "a",
    expires_at: 1_900_000_000,
  }
  await adapter.linkAccount?.({ ...account })
  const session = { sessionToken: "token-1", userId: user.id, expires }
  await adapter.createSession?.({ ...session })
  const token = { identifier: "ada@example.com", token: "hash", expires }
  await adapter.createVerificationToken?.({ ...token })
  return { user, account, session, token }
}

async function counts(client: MongoClient): Promise<number[]> {
  const names = ["users", "accounts", "sessions", "verification_tokens"]
  return Promise.all(names.map(async (name) => (await client.db().collection(name).find().toArray()).length))
}

test("rows of @auth/mongodb-adapter are read, changed and deleted", async () => {
  const client = await openNew()
  const { user, account, session, token } = await fill(published(client))
  const adapter = mongodb(client)
  expect(await adapter.getUser(user.id)).toEqual(user)
  expect(await adapter.getUserByEmail("ada@example.com")).toMatchObject({ id: user.id, role: "admin" })
  expect(await adapter.getUserByAccount(account)).toMatchObject({ id: user.id, emailVerified: expires })
  expect(await adapter.getAccount("108", "acme")).toEqual(account)
  expect(await adapter.listAccounts(user.id)).toEqual([account])
  expect(await adapter.getSessionAndUser("token-1")).toEqual({ session, user })
  expect(await adapter.listSessions(user.id)).toEqual([session])
  expect(await adapter.useVerificationToken(token)).toEqual(token)
  const later = new Date(1_950_000_000_456)
  expect(await adapter.updateSession({ sessionToken: "token-1", expires: later })).toEqual({
    ...session,
    expires: later,
  })
  expect(await adapter.updateUser({ id: user.id, name: "Countess" })).toEqual({ ...user, name: "Countess" })
  await adapter.deleteUser(user.id)
  expect(await counts(client)).toEqual([0, 0, 0, 0])
})

test("@auth/mongodb-adapter reads, changes and deletes rows of this adapter", async () => {
  const client = await openNew()
  const { user, account, session, token } = await fill(mongodb(client))
  const old = published(client)
  const key = { provider: "acme", providerAccountId: "108" }
  expect(await old.getUser(user.id)).toEqual(user)
  expect(await old.getUserByEmail("ada@example.com")).toEqual(user)
  expect(await old.getUserByAccount(key)).toEqual(user)
  expect(await old.getSessionAndUser("token-1")).toMatchObject({ session, user })
  expect(await old.useVerificationToken({ identifier: token.identifier, token: token.token })).toEqual(token)
  await old.updateSession({ sessionToken: "token-1", expires })
  expect(await old.unlinkAccount(key)).toMatchObject(account)
  await old.deleteUser(user.id)
  expect(await counts(client)).toEqual([0, 0, 0, 0])
})

test("an email and an account of @auth/mongodb-adapter are taken", async () => {
  const client = await openNew()
  const { account } = await fill(published(client))
  const adapter = mongodb(client)
  const other = { id: "other", email: "ada@example.com", emailVerified: null }
  await expect(adapter.createUser(other)).rejects.toMatchObject({ code: "LATCHKEY_UNIQUE" })
  const { id } = await adapter.createUser({ ...other, email: "grace@example.com" })
  await expect(adapter.linkAccount({ ...account, userId: id })).rejects.toMatchObject({ code: "LATCHKEY_UNIQUE" })
})

test("ids are those of MongoDB, and a user whom the application stored with another id is found too", async () => {
  const client = await openNew()
  const adapter = mongodb(client)
  const id = new ObjectId().toHexString()
  expect(await adapter.createUser({ id, email: "a@example.com", emailVerified: null })).toMatchObject({ id })
  const created = await adapter.createUser({ id: "not-an-object-id", email: "b@example.com", emailVerified: null })
  expect(created.id).toMatch(/^[0-9a-f]{24}$/)
  expect(await adapter.getUser("not-an-object-id")).toBeNull()
  const users = client.db().collection<{ _id: string; email: string }>("users")
  await users.insertOne({ _id: "custom", email: "c@example.com" })
  expect(await adapter.getUserByEmail("c@example.com")).toMatchObject({ id: "custom", emailVerified: null })
  await adapter.createSession({ sessionToken: "s", userId: "custom", expires })
  expect(await adapter.getSessionAndUser("s")).toMatchObject({ session: { userId: "custom" }, user: { id: "custom" } })
})
