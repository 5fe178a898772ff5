import { DynamoDBAdapter as PublishedAdapter } from "@auth/dynamodb-adapter"
import type { DynamoDBDocument } from "@aws-sdk/lib-dynamodb"
import type { Adapter, AdapterAccount } from "@latchkey/core/adapters"
import { dynamodb } from "@latchkey/dynamodb"
import { beforeAll, beforeEach, expect, test } from "vitest"
import { defaultNames, type Running, startTable } from "./tables.js"

const TableName = defaultNames.tableName
const expires = new Date(1_900_000_000_123)

let running: Running
let client: DynamoDBDocument
beforeAll(async () => {
  running = await startTable()
  client = running.open()
})
beforeEach(async () => {
  const { Items = [] } = await client.scan({ TableName })
  for (const { pk, sk } of Items) await client.delete({ TableName, Key: { pk, sk } })
})

/** The published adapter accepts every user of ours. Its types come from `@auth/core`. */
function published(): Required<Adapter> {
  return PublishedAdapter(running.open()) as unknown as Required<Adapter>
}

async function items(): Promise<string[]> {
  const { Items = [] } = await client.scan({ TableName })
  return Items.map(({ pk, sk }) => `${String(pk)} ${String(sk)}`).toSorted()
}

async function fill(adapter: Adapter) {
  const given = { email: "ada@example.com", emailVerified: expires, name: "2031-02-03T14:15:16.789Z", role: "admin" }
  const user = await adapter.createUser?.({
    id: "5f0c2a4e-6f0f-4c43-93a1-5d6f5a2a0a11",
    ...given,
    trialEnds: expires,
  } as Parameters<NonNullable<Adapter["createUser"]>>[0])
  if (!user) throw new Error("The adapter has no createUser")
  const account: AdapterAccount = {
    userId: user.id,
    type: "oidc",
    provider: "acme",
    providerAccountId: "108",
    access_token: "a",
    expires_at: 1_900_000_000,
  }
  await adapter.linkAccount?.(account)
  const session = { sessionToken: "token-1", userId: user.id, expires }
  await adapter.createSession?.(session)
  const token = { identifier: "ada@example.com", token: "hash", expires }
  await adapter.createVerificationToken?.(token)
  return { user, account, session, token }
}

test("rows of @auth/dynamodb-adapter are read, changed and deleted", async () => {
  const { user, account, session, token } = await fill(published())
  const adapter = dynamodb(client)
  expect(await adapter.getUser(user.id)).toEqual({ ...user, name: "2031-02-03T14:15:16.789Z" })
  expect(await adapter.getUserByEmail("ada@example.com")).toMatchObject({ id: user.id, role: "admin" })
  expect(await adapter.getUserByAccount(account)).toMatchObject({ id: user.id, trialEnds: expires })
  expect(await adapter.getAccount("108", "acme")).toEqual(account)
  expect(await adapter.listAccounts(user.id)).toEqual([account])
  expect(await adapter.getSessionAndUser("token-1")).toMatchObject({ session, user: { id: user.id } })
  expect(await adapter.listSessions(user.id)).toEqual([session])
  expect(await adapter.useVerificationToken(token)).toEqual(token)
  const later = new Date(1_950_000_000_456)
  expect(await adapter.updateSession({ sessionToken: "token-1", expires: later })).toEqual({
    ...session,
    expires: later,
  })
  await adapter.updateUser({ id: user.id, email: "ada@example.org" })
  expect(await adapter.getUserByEmail("ada@example.com")).toBeNull()
  expect(await adapter.deleteSession("token-1")).toMatchObject({ sessionToken: "token-1" })
  await adapter.deleteUser(user.id)
  expect(await items()).toEqual([])
})

test("an email and an account of @auth/dynamodb-adapter are taken", async () => {
  const { account } = await fill(published())
  const adapter = dynamodb(client)
  const user = { id: "other", email: "ada@example.com", emailVerified: null }
  await expect(adapter.createUser(user)).rejects.toMatchObject({ code: "LATCHKEY_UNIQUE" })
  await adapter.createUser({ ...user, email: "grace@example.com" })
  await expect(adapter.updateUser({ id: "other", email: "ada@example.com" })).rejects.toMatchObject({
    code: "LATCHKEY_UNIQUE",
  })
  await expect(adapter.linkAccount({ ...account, userId: "other" })).rejects.toMatchObject({ code: "LATCHKEY_UNIQUE" })
  expect(await adapter.listAccounts("other")).toEqual([])
})

test("@auth/dynamodb-adapter reads, changes and deletes rows of this adapter", async () => {
  const { user, account, session, token } = await fill(dynamodb(client))
  const old = published()
  expect(await old.getUser(user.id)).toMatchObject({ id: user.id, role: "admin", emailVerified: expires })
  expect(await old.getUserByEmail("ada@example.com")).toMatchObject({ id: user.id })
  expect(await old.getUserByAccount(account)).toMatchObject({ id: user.id })
  expect(await old.getSessionAndUser("token-1")).toMatchObject({ session, user: { id: user.id } })
  expect(await old.useVerificationToken(token)).toEqual(token)
  await old.updateSession({ sessionToken: "token-1", expires })
  await old.deleteUser(user.id)
  const adapter = dynamodb(client)
  expect(await adapter.getUser(user.id)).toBeNull()
  expect(await adapter.getUserByEmail("ada@example.com")).toBeNull()
  expect(await adapter.getUserByAccount(account)).toBeNull()
  expect(await adapter.getSessionAndUser("token-1")).toBeNull()
})

test("pointers to what @auth/dynamodb-adapter deleted or changed are replaced", async () => {
  const { user, account } = await fill(dynamodb(client))
  const old = published()
  await old.deleteUser(user.id)
  const adapter = dynamodb(client)
  const { id } = await adapter.createUser({ id: "again", email: "ada@example.com", emailVerified: null })
  await adapter.linkAccount({ ...account, userId: id })
  expect(await adapter.getUserByEmail("ada@example.com")).toMatchObject({ id })
  expect(await adapter.getUserByAccount(account)).toMatchObject({ id })
  await old.unlinkAccount(account)
  expect(await adapter.getUserByAccount(account)).toBeNull()
  await adapter.createUser({ id: "third", email: "grace@example.com", emailVerified: null })
  await adapter.linkAccount({ ...account, userId: "third" })
  expect(await adapter.getUserByAccount(account)).toMatchObject({ id: "third" })
  await old.updateUser({ id, email: "ada@example.org" })
  await adapter.createUser({ id: "fourth", email: "ada@example.com", emailVerified: null })
  expect(await adapter.getUserByEmail("ada@example.com")).toMatchObject({ id: "fourth" })
})

test("deleted rows leave no pointers behind", async () => {
  const adapter = dynamodb(client)
  const { user, account, token } = await fill(adapter)
  await adapter.useVerificationToken(token)
  await adapter.deleteSession("token-1")
  await adapter.unlinkAccount(account)
  expect(await items()).toEqual(["EMAIL#ada@example.com OWNER", `USER#${user.id} USER#${user.id}`])
  await adapter.deleteUser(user.id)
  expect(await items()).toEqual([])
})

test("a user with more than 25 rows is deleted with all of them", async () => {
  const adapter = dynamodb(client)
  const { user } = await fill(adapter)
  await adapter.useVerificationToken({ identifier: "ada@example.com", token: "hash" })
  const tokens = Array.from({ length: 60 }, (_, index) => `many-${index}`)
  await Promise.all(
    tokens.map(async (sessionToken) => adapter.createSession({ sessionToken, userId: user.id, expires })),
  )
  expect(await adapter.listSessions(user.id)).toHaveLength(61)
  await adapter.deleteUser(user.id)
  expect(await items()).toEqual([])
})

test("sessions of more than a megabyte are listed and deleted", async () => {
  const adapter = dynamodb(client)
  await adapter.createUser({ id: "u", email: "ada@example.com", emailVerified: null })
  const large = "x".repeat(200_000)
  for (let index = 0; index < 8; index += 1) {
    const session = { sessionToken: `large-${index}`, userId: "u", expires, large }
    await adapter.createSession(session)
  }
  const page = await client.query({
    TableName,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": "USER#u" },
  })
  expect(page.LastEvaluatedKey).toBeDefined()
  expect(await adapter.listSessions("u")).toHaveLength(8)
  await adapter.deleteSessions("u")
  expect(await adapter.listSessions("u")).toEqual([])
})

test("the expiry is stored in seconds, for TTL, in sessions, their pointers and tokens", async () => {
  const adapter = dynamodb(client)
  const { session } = await fill(adapter)
  const stored = async (pk: string, sk: string) => (await client.get({ TableName, Key: { pk, sk } })).Item?.["expires"]
  expect(await stored(`USER#${session.userId}`, "SESSION#token-1")).toBe(1_900_000_000.123)
  expect(await stored("SESSION#token-1", "OWNER")).toBe(1_900_000_000.123)
  expect(await stored("VT#ada@example.com", "VT#hash")).toBe(1_900_000_000.123)
  await adapter.updateSession({ sessionToken: "token-1", expires: new Date(1_950_000_000_000) })
  expect(await stored(`USER#${session.userId}`, "SESSION#token-1")).toBe(1_950_000_000)
  expect(await stored("SESSION#token-1", "OWNER")).toBe(1_950_000_000)
})
