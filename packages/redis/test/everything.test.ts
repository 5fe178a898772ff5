import type { AdapterAccount } from "@latchkey/core/adapters"
import { redis, type RedisAdapter } from "@latchkey/redis"
import { afterAll, describe, expect, test, vi } from "vitest"
import { type Connected, connections, hasServers, ioredis, ownPrefix, serverUrl } from "./clients.js"

const hour = 3_600_000
const expires = new Date(Date.now() + hour)

const account = (userId: string, providerAccountId: string): AdapterAccount => ({
  userId,
  type: "oidc",
  provider: "acme",
  providerAccountId,
})

async function withAda(adapter: RedisAdapter): Promise<RedisAdapter> {
  await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null })
  return adapter
}

describe.skipIf(!hasServers).each(connections)("everything in Redis, through $name", ({ connect }) => {
  let connected: Promise<Connected> | undefined
  const open = async () => redis((await (connected ??= connect())).client, { baseKeyPrefix: ownPrefix() })
  afterAll(async () => (await connected)?.close())

  test("of 20 parallel changes to one email, and sign-ups with it, exactly one succeeds", async () => {
    const adapter = await open()
    const ids = Array.from({ length: 20 }, (_, position) => `user-${position}`)
    for (const id of ids.slice(0, 10)) {
      await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
    }
    const email = "wanted@example.com"
    const outcomes = await Promise.allSettled(
      ids.map(async (id, position) =>
        position < 10 ? adapter.updateUser({ id, email }) : adapter.createUser({ id, email, emailVerified: null }),
      ),
    )
    const winners = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.id] : []))
    expect(winners).toEqual([(await adapter.getUserByEmail(email))?.id])
    const users = await Promise.all(ids.map(async (id) => adapter.getUser(id)))
    expect(users.filter((user) => user?.email === email)).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "LATCHKEY_UNIQUE" })
    }
  })

  test("a user who gives an email up and takes it again competes with 20 others, and one has it", async () => {
    for (let round = 0; round < 5; round++) {
      const adapter = await withAda(await open())
      const email = "ada@example.com"
      const moves = async () => {
        await adapter.updateUser({ id: "ada", email: "away@example.com" })
        return adapter.updateUser({ id: "ada", email })
      }
      const others = Array.from({ length: 20 }, async (_, position) =>
        adapter.createUser({ id: `user-${position}`, email, emailVerified: null }),
      )
      const outcomes = await Promise.allSettled([moves(), ...others])
      const ids = ["ada", ...Array.from({ length: 20 }, (_, position) => `user-${position}`)]
      const users = await Promise.all(ids.map(async (id) => adapter.getUser(id)))
      const owners = users.filter((user) => user?.email === email).map((user) => user?.id)
      expect(owners).toHaveLength(1)
      expect((await adapter.getUserByEmail(email))?.id).toBe(owners[0])
      const created = outcomes.slice(1).filter(({ status }) => status === "fulfilled")
      expect(created).toHaveLength(owners[0] === "ada" ? 0 : 1)
    }
  })

  test("20 updates and descriptions during a deletion don't bring a session back", async () => {
    const adapter = await withAda(await open())
    const sessionToken = "token"
    await adapter.createSession({ sessionToken, userId: "ada", expires })
    const updates = Array.from({ length: 20 }, async (_, position) =>
      position % 2 === 0
        ? adapter.updateSession({ sessionToken, expires })
        : adapter.describeSession(sessionToken, { lastUsedAt: new Date(position) }),
    )
    await Promise.all([...updates.slice(0, 10), adapter.deleteSession(sessionToken), ...updates.slice(10)])
    expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
    expect(await adapter.updateSession({ sessionToken, expires })).toBeNull()
    expect(await adapter.listSessions("ada")).toEqual([])
  })

  test("20 parallel changes of one user all succeed", async () => {
    const adapter = await withAda(await open())
    await Promise.all(
      Array.from({ length: 20 }, async (_, position) =>
        adapter.updateUser({ id: "ada", [`field${position}`]: position }),
      ),
    )
    const user = await adapter.getUser("ada")
    for (let position = 0; position < 20; position++) expect(user).toHaveProperty(`field${position}`, position)
  })

  test("an account that is linked and unlinked in parallel is listed if it's linked", async () => {
    const adapter = await withAda(await open())
    const [key, linked] = [{ provider: "acme", providerAccountId: "1" }, account("ada", "1")]
    for (let round = 0; round < 10; round++) {
      await Promise.allSettled([
        adapter.linkAccount(linked),
        adapter.unlinkAccount(key),
        adapter.linkAccount(linked),
        adapter.unlinkAccount(key),
        adapter.linkAccount(linked),
      ])
      const owner = await adapter.getUserByAccount(key)
      expect(await adapter.listAccounts("ada")).toHaveLength(owner === null ? 0 : 1)
    }
  })

  test("ids, emails and tokens may have any characters", async () => {
    const adapter = await open()
    const odd = ["{a}", "a:b", "a b", "💚", "a\u0000b", "9007199254740993", "*?[x]", "\r\n"]
    for (const id of odd) {
      const user = await adapter.createUser({ id, name: id, email: `${id}@example.com`, emailVerified: null })
      expect(await adapter.getUserByEmail(`${id}@example.com`)).toEqual(user)
      await adapter.linkAccount(account(id, id))
      await adapter.createSession({ sessionToken: id, userId: id, expires })
      expect((await adapter.getSessionAndUser(id))?.user).toEqual(user)
      expect(await adapter.getUserByAccount({ provider: "acme", providerAccountId: id })).toEqual(user)
      expect((await adapter.listSessions(id)).map((row) => row.sessionToken)).toEqual([id])
    }
  })

  test("text with a lone surrogate is rejected when it's written, and isn't found when it's read", async () => {
    const adapter = await withAda(await open())
    const odd = "a\ud800"
    const calls: readonly (() => unknown)[] = [
      () => adapter.createUser({ id: odd, email: "x@example.com", emailVerified: null }),
      () => adapter.createUser({ id: "x", email: odd, emailVerified: null }),
      () => adapter.createSession({ sessionToken: odd, userId: "ada", expires }),
      () => adapter.linkAccount(account("ada", odd)),
    ]
    for (const call of calls) await expect((async () => call())()).rejects.toThrow("a lone surrogate")
    await adapter.createUser({ id: "a\ufffd", email: "a\ufffd@example.com", emailVerified: null })
    expect(await adapter.getUser(odd)).toBeNull()
    expect(await adapter.getUserByEmail(`${odd}@example.com`)).toBeNull()
    expect(await adapter.getSessionAndUser(odd)).toBeNull()
    expect(await adapter.useVerificationToken({ identifier: odd, token: "x" })).toBeNull()
    expect((await adapter.updateUser({ id: "ada", name: odd })).name).toBe(odd)
    expect((await adapter.getUser("ada"))?.name).toBe(odd)
  })

  test("a missing user is an error that says what to do", async () => {
    const adapter = await open()
    const calls: readonly (() => unknown)[] = [
      () => adapter.updateUser({ id: "missing", name: "x" }),
      () => adapter.updateUser({ id: "missing", email: "x@example.com" }),
      () => adapter.linkAccount(account("missing", "1")),
      () => adapter.createSession({ sessionToken: "x", userId: "missing", expires }),
    ]
    for (const call of calls) await expect((async () => call())()).rejects.toThrow("Create the user first.")
    expect(await adapter.deleteUser("missing")).toBeNull()
    expect(await adapter.deleteSessions("missing")).toBeUndefined()
  })

  test("of 20 parallel attempts with five points, five are allowed", async () => {
    const { rateLimits } = await open()
    const take = async () => rateLimits.take("key", { points: 5, seconds: 60 })
    const answers = await Promise.all(Array.from({ length: 20 }, take))
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(5)
  })

  test("an invalid date is rejected", async () => {
    const adapter = await withAda(await open())
    const never = new Date(Number.NaN)
    const create = async () => adapter.createSession({ sessionToken: "x", userId: "ada", expires: never })
    await expect(create()).rejects.toThrow("The date is invalid. Pass a valid Date object.")
  })
})

describe.skipIf(!hasServers)("records in Redis", () => {
  let connected: ReturnType<typeof ioredis> | undefined
  const server = async () => (await (connected ??= ioredis(serverUrl()))).client
  afterAll(async () => (await connected)?.close())
  const open = async () => {
    const [client, prefix] = [await server(), ownPrefix()]
    return { client, prefix, adapter: await withAda(redis(client, { baseKeyPrefix: prefix })) }
  }

  test("sessions, tokens and their indexes expire a little after their date, and users don't", async () => {
    const { client, prefix, adapter } = await open()
    await adapter.createSession({ sessionToken: "s", userId: "ada", expires })
    await adapter.createVerificationToken({ identifier: "i", token: "t", expires })
    const expiring = ["user:session:s", "user:token:i:t", "latchkey:sessions:ada", "latchkey:tokens:i"]
    const check = async (end: Date) => {
      for (const key of expiring.slice(end === expires ? 0 : 2)) {
        const left = await client.pttl(prefix + key)
        expect(Date.now() + left, key).toBeGreaterThan(end.getTime() + 50_000)
        expect(Date.now() + left, key).toBeLessThan(end.getTime() + 70_000)
      }
    }
    await check(expires)
    expect(await client.pttl(`${prefix}user:ada`)).toBe(-1)
    expect(await client.pttl(`${prefix}user:email:ada@example.com`)).toBe(-1)
  })

  test("an extended session lives longer, also in the index, and one that's described doesn't", async () => {
    const { client, prefix, adapter } = await open()
    await adapter.createSession({ sessionToken: "s", userId: "ada", expires })
    await adapter.updateSession({ sessionToken: "s", expires: new Date(expires.getTime() + hour) })
    const keys = [`${prefix}user:session:s`, `${prefix}latchkey:sessions:ada`]
    for (const key of keys) expect(await client.pttl(key)).toBeGreaterThan(1.9 * hour)
    await adapter.describeSession("s", { browser: "Firefox" })
    for (const key of keys) expect(await client.pttl(key)).toBeGreaterThan(1.9 * hour)
    await adapter.updateSession({ sessionToken: "s", expires: new Date(Date.now() + 1000) })
    expect(await client.pttl(keys[0] ?? "")).toBeLessThan(hour)
  })

  test("an index forgets sessions that ended or expired", async () => {
    const { client, prefix, adapter } = await open()
    const index = `${prefix}latchkey:sessions:ada`
    for (let time = 0; time < 30; time++) {
      await adapter.createSession({ sessionToken: `s${time}`, userId: "ada", expires })
      await adapter.deleteSession(`s${time}`)
    }
    expect(await client.exists(index)).toBe(0)
    for (let time = 0; time < 30; time++) await client.zadd(index, String(Date.now() - 1 - time), `expired-${time}`)
    expect(await adapter.listSessions("ada")).toEqual([])
    await adapter.createSession({ sessionToken: "s", userId: "ada", expires })
    expect(await client.zrange(index, "0", "-1")).toEqual(["s"])
  })

  test("an index of more members than a command may have is emptied", async () => {
    const { client, prefix, adapter } = await open()
    const index = `${prefix}latchkey:sessions:ada`
    const members = Array.from({ length: 9000 }, (_, position) => `s${position}`)
    await client.zadd(index, ...members.flatMap((member) => [String(expires.getTime()), member]))
    await adapter.deleteSessions("ada")
    expect(await client.exists(index)).toBe(0)
  })

  test("a former email leaves no key, and neither does a user without an email", async () => {
    const { client, prefix, adapter } = await open()
    await adapter.updateUser({ id: "ada", email: "countess@example.com" })
    expect(await client.keys(`${prefix}user:email:*`)).toEqual([`${prefix}user:email:countess@example.com`])
    for (const id of ["bob", "eve"]) await adapter.createUser({ id, email: null as never, emailVerified: null })
    expect((await adapter.getUser("bob"))?.email).toBeNull()
    expect(await client.keys(`${prefix}user:email:*`)).toHaveLength(1)
    expect(await adapter.getUserByEmail("null")).toBeNull()
  })

  test("deleting a user leaves no key", async () => {
    const { client, prefix, adapter } = await open()
    await adapter.createSession({ sessionToken: "s", userId: "ada", expires })
    await adapter.linkAccount(account("ada", "1"))
    await adapter.deleteSessions("ada")
    await adapter.createSession({ sessionToken: "s2", userId: "ada", expires })
    await adapter.deleteUser("ada")
    expect(await client.keys(`${prefix}*`)).toEqual([])
  })

  test("a read of a session takes two commands", async () => {
    const { client, adapter } = await open()
    await adapter.createSession({ sessionToken: "s", userId: "ada", expires })
    const sent = vi.spyOn(client, "sendCommand")
    await adapter.getSessionAndUser("s")
    expect(sent.mock.calls.map(([{ name }]) => name)).toEqual(["get", "get"])
  })

  test("attempts are counted under the same prefix", async () => {
    const { client, prefix, adapter } = await open()
    const limit = { points: 1, seconds: 60 }
    expect((await adapter.rateLimits.take("key", limit)).allowed).toBe(true)
    expect((await adapter.rateLimits.take("key", limit)).allowed).toBe(false)
    expect(await client.exists(`${prefix}latchkey:limit:key`)).toBe(1)
  })
})
