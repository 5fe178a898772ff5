import { inspect } from "node:util"
import type { Adapter } from "@latchkey/core/adapters"
import { redis, redisCache, type RedisClient, redisSessions } from "@latchkey/redis"
import { sqlite } from "@latchkey/sql/sqlite"
import { describe, expect, onTestFinished, test } from "vitest"
import { freePort } from "../../../tests/servers/process.js"
import { startRedis } from "../../../tests/servers/redis.js"
import { type Connected, hasServers, ioredis, nodeRedis, ownPrefix, serverUrl } from "./clients.js"
import { observed } from "./observed.js"
import { type Proxy, startProxy } from "./proxy.js"

const expires = new Date(Date.now() + 3_600_000)

const clients = [
  { name: "ioredis", connect: ioredis },
  { name: "redis", connect: nodeRedis },
] as const

async function proxied(url = serverUrl()): Promise<Proxy> {
  const proxy = await startProxy(url)
  onTestFinished(() => proxy.close())
  return proxy
}

async function opened(connect: (url: string) => Promise<Connected>, url: string): Promise<RedisClient> {
  const { client, close } = await connect(url)
  onTestFinished(async () => void (await close()))
  return client
}

/** Counts the commands that a client sends. */
function counted(client: RedisClient): { readonly client: RedisClient; sent(): number } {
  let sent = 0
  const counting = new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== "function") return value
      return (...values: unknown[]) => {
        sent++
        return value.apply(target, values)
      }
    },
  })
  return { client: counting, sent: () => sent }
}

describe.skipIf(!hasServers).each(clients)("with $name, the cache", ({ connect }) => {
  /** A process whose connection a test can break, and another one. */
  async function two() {
    const prefix = ownPrefix()
    const { adapter, calls } = observed()
    await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null })
    await adapter.createSession({ sessionToken: "one", userId: "ada", expires })
    const network = await proxied()
    const { client, sent } = counted(await opened(connect, network.url))
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const here = redisCache(adapter, client, { prefix, timeoutMillis: 200, retryMillis: 300, onError })
    const there = redisCache(adapter, await opened(connect, serverUrl()), { prefix })
    return { adapter, network, here, there, errors, sent, reads: () => calls("getSessionAndUser") }
  }

  const breaks: readonly [string, (network: Proxy) => void][] = [
    ["can't be reached", (network) => network.cut()],
    ["doesn't respond", (network) => network.freeze()],
  ]

  describe.each(breaks)("if Redis %s", (_, breakNetwork) => {
    test("reads use the database, few of them try Redis, and one error is reported", async () => {
      const { network, here, errors, sent, reads } = await two()
      await here.getSessionAndUser("one")
      breakNetwork(network)
      const [before, sentBefore] = [reads(), sent()]
      await Promise.all(
        Array.from({ length: 5 }, async () => expect(await here.getSessionAndUser("one")).not.toBeNull()),
      )
      const sentAtOnce = sent() - sentBefore
      for (let time = 0; time < 20; time++) expect(await here.getSessionAndUser("one")).not.toBeNull()
      expect(reads() - before).toBe(25)
      expect(errors).toHaveLength(1)
      // Each attempt sends two commands. The 20 reads after the failure are done before the next attempt, or see one.
      expect(sent() - sentBefore - sentAtOnce).toBeLessThanOrEqual(4)
      await network.heal()
      await expect
        .poll(async () => {
          const earlier = reads()
          await here.getSessionAndUser("one")
          return reads() - earlier
        })
        .toBe(0)
      expect(errors).toHaveLength(1)
    })

    test("a deletion is rejected and changes nothing, and works when Redis is back", async () => {
      const { adapter, network, here, there, reads } = await two()
      const deletions: readonly ((adapter: Required<Adapter>) => unknown)[] = [
        (own) => own.deleteSession("one"),
        (own) => own.deleteSessions("ada"),
        (own) => own.deleteUser("ada"),
      ]
      await there.getSessionAndUser("one")
      breakNetwork(network)
      for (const remove of deletions) {
        await expect((async () => remove(here))()).rejects.toThrow("Nothing was deleted, because Redis is unreachable")
      }
      expect(await adapter.getSessionAndUser("one")).not.toBeNull()
      expect(await there.getSessionAndUser("one")).not.toBeNull()
      await network.heal()
      const remove = async () => {
        await here.deleteSession("one")
        return "deleted"
      }
      await expect.poll(() => remove().catch(() => "rejected")).toBe("deleted")
      const before = reads()
      expect(await there.getSessionAndUser("one")).toBeNull()
      expect(reads()).toBe(before + 1)
    })

    test("users still sign in, and sessions are extended", async () => {
      const { network, here, there } = await two()
      await here.getSessionAndUser("one")
      breakNetwork(network)
      await here.createUser({ id: "bob", email: "bob@example.com", emailVerified: null })
      await here.createSession({ sessionToken: "new", userId: "bob", expires })
      const later = new Date(expires.getTime() + 60_000)
      expect((await here.updateSession({ sessionToken: "new", expires: later }))?.expires).toEqual(later)
      await here.updateUser({ id: "bob", name: "Bob" })
      await here.describeSession("new", { browser: "Firefox" })
      expect((await here.getSessionAndUser("new"))?.user.name).toBe("Bob")
      expect((await there.getSessionAndUser("new"))?.user.name).toBe("Bob")
    })
  })

  test("a session that was deleted stays deleted while Redis stops and starts again", async () => {
    const port = await freePort()
    let server = await startRedis(port)
    onTestFinished(async () => server?.stop())
    const { adapter } = observed()
    await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null })
    for (const sessionToken of ["one", "two"]) await adapter.createSession({ sessionToken, userId: "ada", expires })
    const url = `redis://127.0.0.1:${port}`
    const options = { timeoutMillis: 200, retryMillis: 100, onError: () => undefined }
    const here = redisCache(adapter, await opened(connect, url), options)
    const there = redisCache(adapter, await opened(connect, url), options)
    for (const token of ["one", "two"]) await there.getSessionAndUser(token)
    await here.deleteSession("one")
    await server?.stop()
    expect(await there.getSessionAndUser("one")).toBeNull()
    await expect((async () => here.deleteSession("two"))()).rejects.toThrow("Nothing was deleted")
    expect(await there.getSessionAndUser("two")).not.toBeNull()
    server = await startRedis(port)
    const remove = async () => {
      await here.deleteSession("two")
      return "deleted"
    }
    await expect.poll(() => remove().catch(() => "rejected")).toBe("deleted")
    for (const token of ["one", "two"]) expect(await there.getSessionAndUser(token)).toBeNull()
  })
})

describe.skipIf(!hasServers).each(clients)("with $name", ({ connect }) => {
  test("of 20 operations whose connection is lost, each succeeds or is rejected, and none leaves half a session", async () => {
    const network = await proxied()
    const prefix = ownPrefix()
    const adapter = redis(await opened(connect, network.url), { baseKeyPrefix: prefix })
    const healthy = redis(await opened(connect, serverUrl()), { baseKeyPrefix: prefix })
    const user = await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null })
    const tokens = Array.from({ length: 20 }, (_, position) => `token-${position}`)
    const outcomes = Promise.allSettled(
      tokens.map(async (sessionToken) => adapter.createSession({ sessionToken, userId: user.id, expires })),
    )
    network.cut()
    const states = (await outcomes).map(({ status }) => status)
    await network.heal()
    const listed = (await healthy.listSessions(user.id)).map((row) => row.sessionToken)
    for (const [position, token] of tokens.entries()) {
      const found = await healthy.getSessionAndUser(token)
      expect(listed.includes(token)).toBe(found !== null)
      if (states[position] === "fulfilled") expect(found?.user).toEqual(user)
    }
    await healthy.deleteSessions(user.id)
    expect(await healthy.listSessions(user.id)).toEqual([])
    const again = { sessionToken: "again", userId: user.id, expires }
    const create = async () => (await adapter.createSession(again)).sessionToken
    await expect.poll(() => create().catch(() => "rejected")).toBe("again")
  })

  test("a server that restarts or forgets its scripts gets them again", async () => {
    const port = await freePort()
    let server = await startRedis(port)
    onTestFinished(async () => server?.stop())
    const client = await opened(connect, `redis://127.0.0.1:${port}`)
    const adapter = redis(client)
    const create = async (id: string) =>
      (await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })).id
    expect(await create("ada")).toBe("ada")
    await server?.stop()
    await expect(create("bob")).rejects.toThrow(/./)
    server = await startRedis(port)
    await expect.poll(() => create("bob").catch(() => "rejected")).toBe("bob")
    expect(await adapter.getUser("ada")).toBeNull()
    expect(await adapter.getUser("bob")).not.toBeNull()
  })

  test("sessions in Redis: without Redis, a call is rejected, and no user is changed", async () => {
    const network = await proxied()
    const database = sqlite(":memory:")
    const adapter = redisSessions(database, await opened(connect, network.url), { prefix: ownPrefix() })
    await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null })
    await adapter.createSession({ sessionToken: "one", userId: "ada", expires })
    network.cut()
    const calls: readonly (() => unknown)[] = [
      () => adapter.getSessionAndUser("one"),
      () => adapter.deleteSession("one"),
      () => adapter.deleteSessions("ada"),
      () => adapter.updateUser({ id: "ada", name: "Countess" }),
      () => adapter.deleteUser("ada"),
    ]
    for (const call of calls) await expect((async () => call())()).rejects.toThrow(/./)
    expect((await database.getUser("ada"))?.name ?? null).toBeNull()
    await network.heal()
    const read = async () => (await adapter.getSessionAndUser("one"))?.user.id
    await expect.poll(() => read().catch(() => "rejected")).toBe("ada")
  })

  test("an error has no session token and no password", async () => {
    const prefix = ownPrefix()
    const { client: plain, close } = await ioredis(serverUrl())
    onTestFinished(async () => void (await close()))
    const token = crypto.randomUUID()
    await plain.lpush(`${prefix}user:session:${token}`, "a list instead of text")
    const adapter = redis(await opened(connect, serverUrl()), { baseKeyPrefix: prefix })
    await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null })
    const reason: unknown = await (async () => adapter.getSessionAndUser(token))().catch((error: unknown) => error)
    expect(reason).toBeInstanceOf(Error)
    expect(String(reason)).toContain("WRONGTYPE")
    expect(inspect(reason, { depth: 9, showHidden: true })).not.toContain(token)
    const update = async () => adapter.deleteSession(token)
    const other: unknown = await update().catch((error: unknown) => error)
    expect(inspect(other, { depth: 9, showHidden: true })).not.toContain(token)
    const failed: unknown = await (async () => adapter.useVerificationToken({ identifier: "x", token }))()
    expect(failed).toBeNull()
  })
})
