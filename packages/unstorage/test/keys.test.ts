import { unstorage } from "@latchkey/unstorage"
import { createStorage } from "unstorage"
import { describe, expect, test } from "vitest"
import { fileStorage } from "./storages.js"

const expires = new Date(1_900_000_000_123)

/** unstorage leads each row of these to the same key, or rejects the key. */
const lookalikes: readonly (readonly string[])[] = [
  ["vic", "vic?a@evil.test", "vic?", "?"],
  ["a/b", "a:b", "a\\b", "a//b", "/a/b", "a/b/"],
  ["..", "../..", "a/../b", ".", "a\u0000b", ""],
  [`${"x".repeat(300)}a`, `${"x".repeat(300)}b`, `${"x".repeat(200)}:+${"x".repeat(100)}a`, "é".repeat(150)],
  ["by-user-id", "by-user-id:x", "exact", "exact:x", "%", "%2F"],
]

describe.each([
  ["in memory", async () => createStorage()],
  ["in files", fileStorage],
])("texts that are the same key to unstorage, %s", (_name, open) => {
  test.each(lookalikes)("%j and others are different users", async (...texts) => {
    const adapter = unstorage(await open())
    for (const [index, text] of texts.entries()) {
      expect(await adapter.getUserByEmail(text)).toBeNull()
      const id = `${index}${text}`
      await adapter.createUser({ id, email: text, emailVerified: null })
    }
    for (const [index, text] of texts.entries()) {
      expect(await adapter.getUserByEmail(text)).toMatchObject({ id: `${index}${text}`, email: text })
    }
    for (const [index, text] of texts.entries()) {
      await adapter.deleteUser(`${index}${text}`)
      expect(await adapter.getUserByEmail(text)).toBeNull()
      for (const later of texts.slice(index + 1)) {
        expect(await adapter.getUserByEmail(later)).toMatchObject({ email: later })
      }
    }
  })

  test.each(lookalikes)("%j and others are different accounts, sessions, tokens and passkeys", async (...texts) => {
    const adapter = unstorage(await open())
    await adapter.createUser({ id: "u", email: "ada@example.com", emailVerified: null })
    for (const text of texts) {
      expect(await adapter.getAccount(text, "acme")).toBeNull()
      await adapter.linkAccount({ userId: "u", type: "oauth", provider: "acme", providerAccountId: text, scope: text })
      expect(await adapter.getSessionAndUser(text)).toBeNull()
      await adapter.createSession({ sessionToken: text, userId: "u", expires })
      expect(await adapter.useVerificationToken({ identifier: text, token: "t" })).toBeNull()
      await adapter.createVerificationToken({ identifier: text, token: "t", expires })
      expect(await adapter.getAuthenticator(text)).toBeNull()
      await adapter.createAuthenticator({
        credentialID: text,
        userId: "u",
        providerAccountId: text,
        credentialPublicKey: text,
        counter: 0,
        credentialDeviceType: "multiDevice",
        credentialBackedUp: true,
      })
    }
    for (const text of texts) {
      expect(await adapter.getAccount(text, "acme")).toMatchObject({ scope: text })
      expect(await adapter.getSessionAndUser(text)).toMatchObject({ session: { sessionToken: text } })
      expect(await adapter.getAuthenticator(text)).toMatchObject({ credentialPublicKey: text })
      expect(await adapter.useVerificationToken({ identifier: text, token: "t" })).toMatchObject({ identifier: text })
    }
    expect(await adapter.listSessions("u")).toHaveLength(texts.length)
    expect(await adapter.listAccounts("u")).toHaveLength(texts.length)
    expect(await adapter.listAuthenticatorsByUserId("u")).toHaveLength(texts.length)
  })
})

test("an identifier and a token can't be split in another place", async () => {
  const adapter = unstorage(createStorage())
  await adapter.createVerificationToken({ identifier: "a:b", token: "c", expires })
  expect(await adapter.useVerificationToken({ identifier: "a", token: "b:c" })).toBeNull()
  expect(await adapter.useVerificationToken({ identifier: "a:b", token: "c" })).not.toBeNull()
})

test("a lone surrogate is rejected by writes and not found by reads", async () => {
  const adapter = unstorage(createStorage())
  const text = "a\ud800"
  await expect(adapter.createUser({ id: "1", email: text, emailVerified: null })).rejects.toThrow("lone surrogate")
  expect(await adapter.getUser("1")).toBeNull()
  expect(await adapter.getUserByEmail(text)).toBeNull()
  expect(await adapter.getSessionAndUser(text)).toBeNull()
  expect(await adapter.useVerificationToken({ identifier: text, token: text })).toBeNull()
})

test("an invalid date is rejected", async () => {
  const adapter = unstorage(createStorage())
  const token = { identifier: "i", token: "t", expires: new Date(Number.NaN) }
  await expect(adapter.createVerificationToken(token)).rejects.toThrow("The date expires is invalid")
})

test("any number of users can have no email", async () => {
  const adapter = unstorage(createStorage())
  const without = (id: string) => JSON.parse(JSON.stringify({ id, email: null, emailVerified: null }))
  await adapter.createUser(without("1"))
  await adapter.createUser(without("2"))
  expect(await adapter.getUser("2")).toMatchObject({ email: null })
  expect(await adapter.getUserByEmail("null")).toBeNull()
})

test("an email below another one can't keep its user from signing up, in files", async () => {
  const adapter = unstorage(await fileStorage())
  const emails = ["ada@example.com/x", "ada@example.com", "ada@example.com:y", "ada@example.com/x/z"]
  for (const email of emails) await adapter.createUser({ id: `u${emails.indexOf(email)}`, email, emailVerified: null })
  for (const email of emails) expect(await adapter.getUserByEmail(email)).toMatchObject({ email })
})

test("an id or token that is too long for a file isn't taken, and the error says that it's too long", async () => {
  const adapter = unstorage(await fileStorage())
  await adapter.createUser({ id: "u", email: "ada@example.com", emailVerified: null })
  const text = "é".repeat(1300)
  const account = { userId: "u", type: "oauth", provider: "acme", providerAccountId: text } as const
  const writes = [
    async () => adapter.createUser({ id: text, email: "eve@example.com", emailVerified: null }),
    async () => adapter.linkAccount(account),
    async () => adapter.createSession({ sessionToken: text, userId: "u", expires }),
    async () => adapter.createVerificationToken({ identifier: text, token: "t", expires }),
  ]
  for (const write of writes) {
    const error: unknown = await write().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ message: expect.stringContaining("ENAMETOOLONG") })
    expect(error).not.toHaveProperty("code")
  }
  expect(await adapter.getUserByAccount(account)).toBeNull()
  expect(await adapter.listSessions("u")).toEqual([])
})

test("a session token that can't be the name of a file isn't found", async () => {
  const adapter = unstorage(await fileStorage())
  await adapter.createUser({ id: "u", email: "ada@example.com", emailVerified: null })
  await adapter.createSession({ sessionToken: "s", userId: "u", expires })
  expect(await adapter.getSessionAndUser("s/below")).toBeNull()
  expect(await adapter.getSessionAndUser("x".repeat(5000))).toBeNull()
  expect(await adapter.getSessionAndUser("s")).not.toBeNull()
})
