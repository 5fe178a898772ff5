import { type LatchkeyUnstorageAdapter, unstorage } from "@latchkey/unstorage"
import { createStorage, type Driver, type Storage } from "unstorage"
import memoryDriver from "unstorage/drivers/memory"
import { expect, test } from "vitest"

const expires = new Date(1_900_000_000_123)

/** A storage that loses its connection at its n-th call. */
function breakable(): { storage: Storage; breakAt(call: number): void; calls(): number } {
  let [calls, breaksAt] = [0, Number.POSITIVE_INFINITY]
  const driver: Driver = memoryDriver()
  const step = () => {
    calls += 1
    if (calls >= breaksAt) throw new Error("The connection is closed")
  }
  const broken: Driver = {
    ...driver,
    getItem: (key, options) => (step(), driver.getItem(key, options)),
    setItem: (key, value, options) => (step(), driver.setItem?.(key, value, options)),
    removeItem: (key, options) => (step(), driver.removeItem?.(key, options)),
    getKeys: (base, options) => (step(), driver.getKeys(base, options)),
  }
  return {
    storage: createStorage({ driver: broken }),
    breakAt: (call) => {
      calls = 0
      breaksAt = call
    },
    calls: () => calls,
  }
}

const user = { id: "u", email: "ada@example.com", emailVerified: null }
const account = { userId: "u", type: "oauth", provider: "acme", providerAccountId: "1" } as const
const session = { sessionToken: "s", userId: "u", expires }
const token = { identifier: "ada@example.com", token: "t", expires }
const passkey = {
  credentialID: "c",
  userId: "u",
  providerAccountId: "c",
  credentialPublicKey: "k",
  counter: 0,
  credentialDeviceType: "multiDevice",
  credentialBackedUp: true,
}

type Step = (adapter: LatchkeyUnstorageAdapter) => unknown

/** Each operation, what it needs, and whether its result can be seen afterwards. */
const operations: readonly (readonly [string, readonly Step[], Step, Step])[] = [
  // The engine gives a user a new id each time.
  ["createUser", [], (a) => a.createUser({ ...user, id: crypto.randomUUID() }), (a) => a.getUserByEmail(user.email)],
  [
    "updateUser",
    [(a) => a.createUser(user)],
    (a) => a.updateUser({ id: "u", email: "b" }),
    (a) => a.getUserByEmail("b"),
  ],
  ["linkAccount", [(a) => a.createUser(user)], (a) => a.linkAccount(account), (a) => a.getUserByAccount(account)],
  ["createSession", [(a) => a.createUser(user)], (a) => a.createSession(session), (a) => a.getSessionAndUser("s")],
  ["createVerificationToken", [], (a) => a.createVerificationToken(token), (a) => a.useVerificationToken(token)],
  [
    "createAuthenticator",
    [(a) => a.createUser(user)],
    (a) => a.createAuthenticator(passkey),
    (a) => a.getAuthenticator("c"),
  ],
]

test.each(operations)(
  "%s can be repeated after the connection was lost at any of its steps",
  async (_name, before, run, seen) => {
    let isComplete = false
    for (let call = 1; !isComplete; call += 1) {
      const { storage, breakAt } = breakable()
      const adapter = unstorage(storage)
      for (const step of before) await step(adapter)
      breakAt(call)
      const outcome = await Promise.resolve(run(adapter)).then(
        () => "done",
        (error: Error) => error.message,
      )
      isComplete = outcome === "done"
      expect(["done", "The connection is closed"]).toContain(outcome)
      breakAt(Number.POSITIVE_INFINITY)
      // It may be stored already. Then the repetition says that the key is taken.
      await Promise.resolve(run(adapter)).catch((error: unknown) =>
        expect(error).toMatchObject({ code: "LATCHKEY_UNIQUE" }),
      )
      expect(await seen(adapter)).not.toBeNull()
    }
  },
)

const ends: readonly (readonly [string, Step, Step])[] = [
  ["deleteUser", (a) => a.deleteUser("u"), (a) => a.getSessionAndUser("s")],
  ["deleteSessions", (a) => a.deleteSessions("u"), (a) => a.getSessionAndUser("s")],
  ["deleteSession", (a) => a.deleteSession("s"), (a) => a.getSessionAndUser("s")],
  ["unlinkAccount", (a) => a.unlinkAccount(account), (a) => a.getUserByAccount(account)],
  ["deleteAuthenticator", (a) => a.deleteAuthenticator("c"), (a) => a.getAuthenticator("c")],
]

test.each(ends)("%s rejects if the connection is lost, and deletes when it's repeated", async (_name, run, seen) => {
  let isComplete = false
  for (let call = 1; !isComplete; call += 1) {
    const { storage, breakAt } = breakable()
    const adapter = unstorage(storage)
    await adapter.createUser(user)
    await adapter.linkAccount(account)
    await adapter.createSession(session)
    await adapter.createAuthenticator(passkey)
    breakAt(call)
    isComplete = await Promise.resolve(run(adapter)).then(
      () => true,
      () => false,
    )
    breakAt(Number.POSITIVE_INFINITY)
    await run(adapter)
    expect(await seen(adapter)).toBeNull()
  }
})

test("a token is neither used twice nor returned when the connection is lost while it's deleted", async () => {
  const { storage, breakAt } = breakable()
  const adapter = unstorage(storage)
  await adapter.createVerificationToken(token)
  breakAt(2)
  await expect(adapter.useVerificationToken(token)).rejects.toThrow("The connection is closed")
  breakAt(Number.POSITIVE_INFINITY)
  expect(await adapter.useVerificationToken(token)).toEqual(token)
  expect(await adapter.useVerificationToken(token)).toBeNull()
})

test("an error that a driver returns instead of throwing rejects", async () => {
  const denied = Object.assign(new Error("permission denied"), { code: "EACCES" })
  const getItem: Storage["getItem"] = () => Promise.resolve(denied as never)
  const adapter = unstorage({ ...createStorage(), getItem })
  await expect(adapter.getSessionAndUser("s")).rejects.toThrow("permission denied")
})

test("sweep deletes what expired, and stops when it's told to", async () => {
  const adapter = unstorage(createStorage())
  await adapter.createUser(user)
  const past = new Date(1_000_000_000_000)
  for (const sessionToken of ["a", "b"]) await adapter.createSession({ sessionToken, userId: "u", expires: past })
  await adapter.createSession(session)
  await adapter.createVerificationToken({ ...token, expires: past })
  expect(await adapter.sweep({ signal: AbortSignal.abort() })).toEqual({
    sessions: 0,
    verificationTokens: 0,
    rateLimits: 0,
    records: 0,
  })
  expect(await adapter.sweep({ before: past })).toEqual({
    sessions: 0,
    verificationTokens: 0,
    rateLimits: 0,
    records: 0,
  })
  expect(await adapter.sweep()).toEqual({ sessions: 2, verificationTokens: 1, rateLimits: 0, records: 0 })
  expect(await adapter.listSessions("u")).toEqual([session])
})
