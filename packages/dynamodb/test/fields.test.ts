import type { AdapterAccount, AdapterUser } from "@latchkey/core/adapters"
import { dynamodb } from "@latchkey/dynamodb"
import type { DynamoDBDocument } from "@aws-sdk/lib-dynamodb"
import { beforeAll, expect, test } from "vitest"
import { defaultNames, type Running, startTable } from "./tables.js"

const TableName = defaultNames.tableName
const expires = new Date(1_900_000_000_123)

let running: Running
let client: DynamoDBDocument
beforeAll(async () => {
  running = await startTable()
  client = running.open()
})

/** With keys of its own, because all tests share the table. */
async function signedUp() {
  const adapter = dynamodb(client)
  const id = crypto.randomUUID()
  const user: AdapterUser = await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
  const account: AdapterAccount = { userId: id, type: "oauth", provider: "acme", providerAccountId: id }
  return { adapter, id, user, account }
}

async function attributes(pk: string, sk: string): Promise<Record<string, unknown>> {
  return (await client.get({ TableName, Key: { pk, sk } })).Item ?? {}
}

test.each(["https://idp.example/team", "a.b", ".", "", "field#", "field#expires", "details.name", "#0", "expires"])(
  "a field of a user, an account and a session can be named %j",
  async (name) => {
    const { adapter, id, user, account } = await signedUp()
    const nested = { [name]: ["a", { [name]: "b" }], other: 1 }
    const field = { [name]: nested }
    await adapter.linkAccount({ ...account, ...field })
    expect(await adapter.getAccount(id, "acme")).toEqual({ ...account, ...field })
    const changed = { [name]: "changed" }
    expect(await adapter.updateAccount({ ...account, ...changed })).toEqual({ ...account, ...changed })
    expect(await adapter.updateUser({ id, ...field })).toEqual({ ...user, ...field })
    expect(await adapter.updateUser({ id, ...changed })).toEqual({ ...user, ...changed })
    expect(await adapter.updateUser({ id, email: `new.${user.email}` })).toMatchObject(changed)
    expect(await adapter.getUserByAccount(account)).toMatchObject(changed)
    if (name === "expires") return
    const session = { sessionToken: `s${id}`, userId: id, expires }
    await adapter.createSession({ ...session, ...field })
    expect(await adapter.listSessions(id)).toEqual([{ ...session, ...field }])
    expect(await adapter.updateSession({ sessionToken: `s${id}`, ...changed })).toEqual({ ...session, ...changed })
  },
)

test("time to live doesn't delete a user or an account with a field named expires", async () => {
  const { adapter, id, user, account } = await signedUp()
  await adapter.linkAccount({ ...account, expires: 1_700_000_000 })
  expect(await adapter.getAccount(id, "acme")).toEqual({ ...account, expires: 1_700_000_000 })
  await adapter.updateUser({ id, expires: 1_700_000_000 } as Partial<AdapterUser> & { id: string })
  expect(await adapter.getUser(id)).toEqual({ ...user, expires: 1_700_000_000 })
  expect(await attributes(`USER#${id}`, `ACCOUNT#acme#${id}`)).not.toHaveProperty("expires")
  expect(await attributes(`USER#${id}`, `USER#${id}`)).not.toHaveProperty("expires")
})

test("a user or an account that was stored with an attribute expires is read, and lasts after its next change", async () => {
  const { adapter, id, user, account } = await signedUp()
  await adapter.linkAccount(account)
  const keys = [`USER#${id}`, `ACCOUNT#acme#${id}`]
  for (const sk of keys) {
    const Key = { pk: `USER#${id}`, sk }
    await client.update({
      TableName,
      Key,
      UpdateExpression: "SET expires = :e",
      ExpressionAttributeValues: { ":e": 2_000_000_000 },
    })
  }
  const field = { expires: 2_000_000_000 }
  expect(await adapter.getUser(id)).toEqual({ ...user, ...field })
  expect(await adapter.listAccounts(id)).toEqual([{ ...account, ...field }])
  expect(await adapter.updateAccount({ ...account, access_token: "t" })).toEqual({
    ...account,
    ...field,
    access_token: "t",
  })
  expect(await adapter.updateUser({ id, name: "Ada" })).toEqual({ ...user, ...field, name: "Ada" })
  for (const sk of keys) expect(await attributes(`USER#${id}`, sk)).not.toHaveProperty("expires")
})

test.each(["A".repeat(1364), "A".repeat(1000), "é".repeat(600)])(
  "the account of a passkey with a long id is linked, found, changed and unlinked (%#)",
  async (long) => {
    const { adapter, id, account } = await signedUp()
    const passkey = {
      credentialID: long,
      userId: id,
      providerAccountId: long,
      credentialPublicKey: "k",
      counter: 0,
      credentialDeviceType: "multiDevice",
      credentialBackedUp: true,
    }
    await adapter.createAuthenticator(passkey)
    const linked: AdapterAccount = { ...account, type: "webauthn", provider: "passkey", providerAccountId: long }
    await adapter.linkAccount(linked)
    expect(await adapter.getUserByAccount(linked)).toMatchObject({ id })
    expect(await adapter.listAccounts(id)).toEqual([linked])
    expect(await adapter.updateAccount({ ...linked, scope: "s" })).toEqual({ ...linked, scope: "s" })
    const other = await signedUp()
    await expect(adapter.linkAccount({ ...linked, userId: other.id })).rejects.toMatchObject({
      code: "LATCHKEY_UNIQUE",
    })
    await adapter.linkAccount({ ...linked, provider: "other", userId: other.id })
    expect(await adapter.getUserByAccount(linked)).toMatchObject({ id })
    expect(await adapter.unlinkAccount(linked)).toEqual({ ...linked, scope: "s" })
    expect(await adapter.getUserByAccount(linked)).toBeNull()
    await adapter.linkAccount(linked)
    await adapter.deleteUser(id)
    await adapter.linkAccount({ ...linked, userId: other.id })
    expect(await adapter.getUserByAccount(linked)).toMatchObject({ id: other.id })
  },
)

test("an account id that doesn't fit into a key is rejected, and isn't found", async () => {
  const { adapter, account } = await signedUp()
  for (const providerAccountId of ["A".repeat(1365), '"'.repeat(1364), "a\ud800"]) {
    await expect(adapter.linkAccount({ ...account, providerAccountId })).rejects.toThrow("Pass another one.")
    expect(await adapter.getAccount(providerAccountId, "acme")).toBeNull()
    expect(await adapter.getUserByAccount({ provider: "acme", providerAccountId })).toBeNull()
    expect(await adapter.unlinkAccount({ provider: "acme", providerAccountId })).toBeUndefined()
  }
})

test("sessions of a user end with two requests for each, up to 25 at once", async () => {
  const { adapter, id } = await signedUp()
  for (let index = 0; index < 60; index += 1)
    await adapter.createSession({ sessionToken: `${id}${index}`, userId: id, expires })
  let [requests, open, most] = [0, 0, 0]
  const counted = new Proxy(client, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== "function") return method
      return async (...input: unknown[]) => {
        requests += 1
        most = Math.max(most, ++open)
        try {
          return (await Reflect.apply(method, target, input)) as unknown
        } finally {
          open -= 1
        }
      }
    },
  })
  await dynamodb(counted).deleteSessions(id)
  expect(await adapter.listSessions(id)).toEqual([])
  expect(requests).toBe(1 + 2 * 60)
  expect(most).toBe(25)
  const { Items = [] } = await client.scan({ TableName })
  expect(Items.filter(({ pk }) => String(pk).startsWith(`SESSION#${id}`))).toEqual([])
})
