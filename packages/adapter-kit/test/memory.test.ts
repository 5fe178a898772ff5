import { memoryAdapter, UniqueViolation } from "@latchkey/adapter-kit"
import type { AdapterUser } from "@latchkey/core/adapters"
import { expect, test } from "vitest"

const ada: AdapterUser = { id: "1", email: "ada@example.com", emailVerified: null }
const expires = new Date(2_000_000_000_000)

/** A user without an email, which the type doesn't allow. */
function withoutEmail(id: string): AdapterUser {
  return JSON.parse(JSON.stringify({ id, email: null, emailVerified: null }))
}

test("createUser keeps the given id", async () => {
  expect(await memoryAdapter().createUser(ada)).toEqual(ada)
})

test("rows() is a copy of everything that is stored", async () => {
  const adapter = memoryAdapter()
  await adapter.createUser(ada)
  await adapter.createSession({ sessionToken: "s", userId: "1", expires })
  await adapter.createVerificationToken({ identifier: "i", token: "t", expires })
  const rows = adapter.rows()
  rows.sessions[0]?.expires.setTime(0)
  expect(adapter.rows()).toStrictEqual({
    users: [ada],
    accounts: [],
    sessions: [{ sessionToken: "s", userId: "1", expires }],
    verificationTokens: [{ identifier: "i", token: "t", expires }],
    authenticators: [],
    records: [],
  })
})

test("any number of users can have no email", async () => {
  const adapter = memoryAdapter()
  await adapter.createUser(withoutEmail("1"))
  await adapter.createUser(withoutEmail("2"))
  await adapter.deleteUser("1")
  expect(adapter.rows().users.map(({ id }) => id)).toEqual(["2"])
})

test("a taken email, id, session token or verification token throws UniqueViolation", async () => {
  const adapter = memoryAdapter()
  await adapter.createUser(ada)
  await adapter.createSession({ sessionToken: "s", userId: "1", expires })
  await adapter.createVerificationToken({ identifier: "i", token: "t", expires })
  const clashes = [
    () => adapter.createUser({ ...ada, id: "2" }),
    () => adapter.createUser({ ...ada, email: "else@example.com" }),
    () => adapter.createSession({ sessionToken: "s", userId: "1", expires }),
    () => adapter.createVerificationToken({ identifier: "i", token: "t", expires }),
  ]
  for (const clash of clashes) {
    const error = await Promise.resolve(clash()).then(String, (reason: unknown) => reason)
    expect(error).toBeInstanceOf(UniqueViolation)
    expect(error).toMatchObject({ name: "UniqueViolation", code: "LATCHKEY_UNIQUE" })
  }
})

test("rows of an unknown user are rejected", async () => {
  const adapter = memoryAdapter()
  await expect(adapter.createSession({ sessionToken: "s", userId: "gone", expires })).rejects.toThrow(
    "There is no user",
  )
  const account = { userId: "gone", type: "oidc", provider: "acme", providerAccountId: "a" } as const
  await expect(adapter.linkAccount(account)).rejects.toThrow("There is no user")
  expect(adapter.rows()).toMatchObject({ accounts: [], sessions: [] })
})

test("undefined fields aren't stored", async () => {
  const adapter = memoryAdapter()
  await adapter.createUser({ ...ada, name: "Ada" })
  const update = { id: "1" }
  Reflect.set(update, "name", undefined)
  expect(await adapter.updateUser(update)).toStrictEqual({ ...ada, name: "Ada" })
})

test("of two transactions that use one token the later one fails as a whole", async () => {
  const adapter = memoryAdapter()
  await adapter.createVerificationToken({ identifier: "i", token: "t", expires })
  const use = (id: string) =>
    adapter.transaction(async (inside) => {
      const used = await inside.useVerificationToken?.({ identifier: "i", token: "t" })
      await inside.createUser?.({ ...ada, id, email: `${id}@example.com` })
      return used
    })
  const [first, second] = await Promise.allSettled([use("1"), use("2")])
  expect(first).toMatchObject({ status: "fulfilled", value: { token: "t" } })
  expect(second).toMatchObject({ status: "rejected", reason: { code: "LATCHKEY_UNIQUE" } })
  expect(adapter.rows().users.map(({ id }) => id)).toEqual(["1"])
})

test("a transaction doesn't restore a session that was deleted meanwhile", async () => {
  const adapter = memoryAdapter()
  await adapter.createUser(ada)
  await adapter.createSession({ sessionToken: "s", userId: "1", expires })
  const work = adapter.transaction(async (inside) => {
    await inside.updateSession?.({ sessionToken: "s", expires: new Date(0) })
    await adapter.deleteSession("s")
    await inside.updateSession?.({ sessionToken: "s", expires })
  })
  await expect(work).rejects.toThrow("Another write created or deleted the same row first")
  expect(adapter.rows().sessions).toEqual([])
})

test("a transaction lists its own writes, and deletes the rows of a deleted user", async () => {
  const adapter = memoryAdapter()
  await adapter.createUser(ada)
  await adapter.createSession({ sessionToken: "before", userId: "1", expires })
  await adapter.transaction(async (inside) => {
    await inside.createSession?.({ sessionToken: "inside", userId: "1", expires })
    const listed = await inside.listSessions?.("1")
    expect(listed?.map((row) => row.sessionToken)).toEqual(["before", "inside"])
    await inside.deleteUser?.("1")
    expect(await inside.listSessions?.("1")).toEqual([])
  })
  expect(adapter.rows()).toMatchObject({ users: [], sessions: [] })
})

test("a transaction that only locks a user keeps what another write changes meanwhile", async () => {
  const adapter = memoryAdapter()
  await adapter.createUser(ada)
  const verified = new Date(0)
  await adapter.transaction(async (inside) => {
    expect(await inside.updateUser?.({ id: "1" })).toEqual(ada)
    await adapter.updateUser({ id: "1", emailVerified: verified })
  })
  expect(await adapter.getUser("1")).toEqual({ ...ada, emailVerified: verified })
})

test("a record that some stores couldn't keep is rejected", async () => {
  const { records } = memoryAdapter()
  const now = new Date()
  const record = { kind: "totp.secret", key: "", owner: null, index1: null, index2: null, data: "1", expiresAt: null }
  expect(await records.insert({ ...record, key: "k".repeat(255), data: " ".repeat(256 * 1024) }, now)).toBe(true)
  for (const kind of ["", "Totp", "a:b", "a#b", "a b", "k".repeat(65)])
    await expect(records.insert({ ...record, kind }, now)).rejects.toThrow(`The kind "${kind}" isn't valid.`)
  const long = "k".repeat(256)
  for (const fields of [{ key: long }, { index1: long }, { index2: long }])
    await expect(records.insert({ ...record, ...fields }, now)).rejects.toThrow(
      "is too long. Use at most 255 characters.",
    )
  for (const data of [" ".repeat(256 * 1024 + 1), "é".repeat(128 * 1024 + 1)])
    await expect(records.swap({ ...record, data, version: 1 }, now)).rejects.toThrow("Use at most 256 KiB.")
})
