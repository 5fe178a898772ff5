import { UnstorageAdapter as PublishedAdapter } from "@auth/unstorage-adapter"
import type { Adapter, AdapterAccount, AdapterAuthenticator } from "@latchkey/core/adapters"
import { unstorage } from "@latchkey/unstorage"
import { createStorage, type Storage } from "unstorage"
import { describe, expect, test } from "vitest"
import { fileStorage } from "./storages.js"

const expires = new Date(1_900_000_000_123)

/** The published adapter accepts every user of ours. Its types come from `@auth/core`. */
function published(storage: Storage): Required<Adapter> {
  return PublishedAdapter(storage) as unknown as Required<Adapter>
}

async function fill(adapter: Adapter, email = "ada+work/home@example.com") {
  const user = await adapter.createUser?.({
    id: "5f0c2a4e-6f0f-4c43-93a1-5d6f5a2a0a11",
    email,
    emailVerified: expires,
    name: "2031-02-03T14:15:16.789Z",
    role: "admin",
    trialEnds: expires,
  } as Parameters<NonNullable<Adapter["createUser"]>>[0])
  if (!user) throw new Error("The adapter has no createUser")
  const account: AdapterAccount = {
    userId: user.id,
    type: "oidc",
    provider: "acme",
    providerAccountId: "108000000000000000001",
    access_token: "a",
    expires_at: 1_900_000_000,
  }
  await adapter.linkAccount?.(account)
  const session = { sessionToken: "token-1", userId: user.id, expires }
  await adapter.createSession?.(session)
  const token = { identifier: "ada@example.com", token: "hash", expires }
  await adapter.createVerificationToken?.(token)
  const passkey: AdapterAuthenticator = {
    credentialID: "a/b+c/d==",
    userId: user.id,
    providerAccountId: "a/b+c/d==",
    credentialPublicKey: "key",
    counter: 3,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    transports: "internal",
  }
  await adapter.createAuthenticator?.(passkey)
  return { user, account, session, token, passkey }
}

describe.each([
  ["in memory", async () => createStorage()],
  ["in files", fileStorage],
])("a storage %s", (_name, open) => {
  test("rows of @auth/unstorage-adapter are read, changed and deleted", async () => {
    const storage = await open()
    const { user, account, session, token, passkey } = await fill(published(storage))
    const adapter = unstorage(storage)
    expect(await adapter.getUser(user.id)).toEqual({ ...user, name: "2031-02-03T14:15:16.789Z" })
    expect(await adapter.getUserByEmail("ada+work/home@example.com")).toMatchObject({ id: user.id, role: "admin" })
    expect(await adapter.getUserByAccount(account)).toMatchObject({ id: user.id, trialEnds: expires })
    expect(await adapter.listAccounts(user.id)).toEqual([account])
    expect(await adapter.getSessionAndUser("token-1")).toMatchObject({ session, user: { id: user.id } })
    expect(await adapter.getAuthenticator(passkey.credentialID)).toEqual(passkey)
    expect(await adapter.listAuthenticatorsByUserId(user.id)).toEqual([passkey])
    expect(await adapter.useVerificationToken(token)).toEqual(token)
    await adapter.updateUser({ id: user.id, email: "ada@example.org" })
    expect(await adapter.getUserByEmail("ada+work/home@example.com")).toBeNull()
    await adapter.deleteUser(user.id)
    expect(await storage.getKeys()).toEqual([])
  })

  test("every session of a user ends, although @auth/unstorage-adapter only remembers the newest", async () => {
    const storage = await open()
    const old = published(storage)
    const { user } = await fill(old)
    for (const sessionToken of ["token-2", "token-3"])
      await old.createSession({ sessionToken, userId: user.id, expires })
    const adapter = unstorage(storage)
    expect((await adapter.listSessions(user.id)).map(({ sessionToken }) => sessionToken).toSorted()).toEqual([
      "token-1",
      "token-2",
      "token-3",
    ])
    await adapter.deleteSessions(user.id)
    for (const token of ["token-1", "token-2", "token-3"]) expect(await old.getSessionAndUser(token)).toBeNull()
  })

  test("@auth/unstorage-adapter reads, changes and deletes rows of this adapter", async () => {
    const storage = await open()
    const { user, account, session, token, passkey } = await fill(unstorage(storage), "grace@example.com")
    const old = published(storage)
    expect(await old.getUser(user.id)).toMatchObject({ id: user.id, role: "admin", emailVerified: expires })
    expect(await old.getUserByEmail("grace@example.com")).toMatchObject({ id: user.id })
    expect(await old.getUserByAccount(account)).toMatchObject({ id: user.id })
    expect(await old.getSessionAndUser("token-1")).toMatchObject({ session, user: { id: user.id } })
    expect(await old.getAuthenticator(passkey.credentialID)).toEqual(passkey)
    expect(await old.listAuthenticatorsByUserId(user.id)).toEqual([passkey])
    expect(await old.useVerificationToken(token)).toEqual(token)
    await old.deleteUser(user.id)
    const adapter = unstorage(storage)
    expect(await adapter.getUser(user.id)).toBeNull()
    expect(await adapter.getUserByAccount(account)).toBeNull()
    expect(await adapter.getSessionAndUser("token-1")).toBeNull()
  })

  test("an account of a user that @auth/unstorage-adapter deleted can be linked again", async () => {
    const storage = await open()
    const old = published(storage)
    const { user, account } = await fill(old)
    await old.linkAccount({ ...account, provider: "newest" })
    await old.deleteUser(user.id)
    expect(await storage.getKeys("user:account")).toEqual(["user:account:acme:108000000000000000001"])
    const adapter = unstorage(storage)
    const { id } = await adapter.createUser({ id: "again", email: "ada@example.com", emailVerified: null })
    await adapter.linkAccount({ ...account, userId: id })
    expect(await adapter.getUserByAccount(account)).toMatchObject({ id })
  })

  test("an email that a user of @auth/unstorage-adapter no longer has is free", async () => {
    const storage = await open()
    const old = published(storage)
    const { user } = await fill(old)
    await old.updateUser({ id: user.id, email: "ada@example.org" })
    expect(await old.getUserByEmail("ada+work/home@example.com")).not.toBeNull()
    const adapter = unstorage(storage)
    expect(await adapter.getUserByEmail("ada+work/home@example.com")).toBeNull()
    const email = "ada+work/home@example.com"
    await adapter.createUser({ id: "new", email, emailVerified: null })
    expect(await adapter.getUserByEmail(email)).toMatchObject({ id: "new" })
    await expect(adapter.createUser({ id: "newer", email, emailVerified: null })).rejects.toMatchObject({
      code: "LATCHKEY_UNIQUE",
    })
  })
})

test("ids that look like numbers stay texts", async () => {
  const adapter = unstorage(createStorage())
  for (const id of ["9007199254740993", "123", "1e3", "true", "null"]) {
    const email = `${id}@example.com`
    await adapter.createUser({ id, email, emailVerified: null })
    expect(await adapter.getUserByEmail(email)).toMatchObject({ id })
  }
})

test("a pointer that @auth/unstorage-adapter wrote to a numeric id is followed", async () => {
  const storage = createStorage()
  await storage.setItem("user:123", JSON.stringify({ id: "123", email: "ada@example.com", emailVerified: null }))
  await storage.setItem("user:email:ada@example.com", "123")
  expect(await storage.getItem("user:email:ada@example.com")).toBe(123)
  expect(await unstorage(storage).getUserByEmail("ada@example.com")).toMatchObject({ id: "123" })
})
