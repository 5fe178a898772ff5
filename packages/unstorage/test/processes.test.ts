import { unstorage } from "@latchkey/unstorage"
import { createStorage, prefixStorage, type Storage } from "unstorage"
import { afterEach, describe, expect, inject, test } from "vitest"
import { redisStorage } from "./storages.js"

const expires = new Date(1_900_000_000_123)
const opened: Storage[] = []
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.dispose()
})

/** Adapters that share a server, but neither locks nor connections. */
function processes(count: number, base = `processes-${crypto.randomUUID()}`) {
  return Array.from({ length: count }, () => {
    const storage = redisStorage(base)
    opened.push(storage)
    return unstorage(storage)
  })
}

function winners(outcomes: readonly PromiseSettledResult<unknown>[]): number {
  return outcomes.filter((outcome) => outcome.status === "fulfilled" && outcome.value !== null).length
}

describe.skipIf(inject("redis") === undefined)("several processes with the driver redis", () => {
  test("of 20 uses of one token in 20 processes one succeeds", async () => {
    const adapters = processes(20)
    const token = { identifier: "ada@example.com", token: "t", expires }
    await adapters[0]?.createVerificationToken(token)
    const outcomes = await Promise.allSettled(adapters.map(async (adapter) => adapter.useVerificationToken(token)))
    expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([])
    expect(winners(outcomes)).toBe(1)
  })

  test("of 20 sign-ups with one email in 20 processes one succeeds, and the others leave nothing", async () => {
    const adapters = processes(20)
    const email = "ada@example.com"
    const outcomes = await Promise.allSettled(
      adapters.map(async (adapter, index) => adapter.createUser({ id: `u${index}`, email, emailVerified: null })),
    )
    expect(winners(outcomes)).toBe(1)
    const [first] = adapters
    const owner = await first?.getUserByEmail(email)
    const users = await Promise.all(adapters.map(async (_, index) => first?.getUser(`u${index}`)))
    expect(users.filter((user) => user !== null)).toEqual([owner])
  })

  test("of 20 links of one account in 20 processes one succeeds", async () => {
    const adapters = processes(20)
    await adapters[0]?.createUser({ id: "u", email: "ada@example.com", emailVerified: null })
    const account = { userId: "u", type: "oauth", provider: "acme", providerAccountId: "1" } as const
    const outcomes = await Promise.allSettled(adapters.map(async (adapter) => adapter.linkAccount(account)))
    expect(winners(outcomes)).toBe(1)
  })

  test("a session that another process deletes during an update stays deleted", async () => {
    const base = `update-${crypto.randomUUID()}`
    const [other] = processes(1, base)
    const storage = redisStorage(base)
    opened.push(storage)
    const session = { sessionToken: "s", userId: "u", expires }
    await other?.createUser({ id: "u", email: "ada@example.com", emailVerified: null })
    await other?.createSession(session)
    const getItem: Storage["getItem"] = async (key: string) => {
      const value = await storage.getItem(key)
      if (key.includes("session")) await other?.deleteSession("s")
      return value
    }
    const slow = unstorage({ ...storage, getItem })
    expect(await slow.updateSession(session)).toBeNull()
    expect(await other?.getSessionAndUser("s")).toBeNull()
  })

  test("an outdated email of @auth/unstorage-adapter is claimed once", async () => {
    const base = `outdated-${crypto.randomUUID()}`
    const adapters = processes(20, base)
    const storage = redisStorage(base)
    opened.push(storage)
    const email = "ada@example.com"
    await storage.setItem(`user:email:${email}`, "deleted-user")
    const outcomes = await Promise.allSettled(
      adapters.map(async (adapter, index) => adapter.createUser({ id: `u${index}`, email, emailVerified: null })),
    )
    expect(winners(outcomes)).toBe(1)
    expect(await adapters[0]?.getUserByEmail(email)).toMatchObject({ email })
  })

  test("in a storage with a prefix, the keys stay in the prefix", async () => {
    const storage = redisStorage(`prefixed-${crypto.randomUUID()}`)
    opened.push(storage)
    const adapter = unstorage(prefixStorage(storage, "app"))
    await adapter.createUser({ id: "u", email: "ada@example.com", emailVerified: null })
    expect((await storage.getKeys()).toSorted()).toEqual(["app:user:email:ada@example.com", "app:user:u"])
  })
})

test("adapters over one storage in one process share their locks", async () => {
  const storage = createStorage()
  const adapters = Array.from({ length: 20 }, () => unstorage(storage))
  const token = { identifier: "ada@example.com", token: "t", expires }
  await adapters[0]?.createVerificationToken(token)
  expect(winners(await Promise.allSettled(adapters.map(async (adapter) => adapter.useVerificationToken(token))))).toBe(
    1,
  )
})
