import type { Adapter } from "@latchkey/core/adapters"
import { redisCache, type RedisClient } from "@latchkey/redis"
import { afterAll, describe, expect, test } from "vitest"
import { entriesIn } from "../src/cache/entries.js"
import { keysUnder } from "../src/cache/keys.js"
import { commandsOf } from "../src/client.js"
import { type Connected, connections, hasServers, ioredis, ownPrefix, serverUrl } from "./clients.js"
import { type Observed, observed } from "./observed.js"

const expires = new Date(Date.now() + 3_600_000)

interface Site {
  readonly prefix: string
  readonly database: Observed
  /** Two processes of one application. */
  readonly here: Required<Adapter>
  readonly there: Required<Adapter>
  /** Reads of the database by both. */
  reads(): number
}

async function site(client: RedisClient): Promise<Site> {
  const prefix = ownPrefix()
  const database = observed()
  const { adapter } = database
  await adapter.createUser({ id: "ada", name: "Ada", email: "ada@example.com", emailVerified: expires })
  for (const sessionToken of ["one", "two"]) await adapter.createSession({ sessionToken, userId: "ada", expires })
  const open = () => redisCache(adapter, client, { prefix })
  return { prefix, database, here: open(), there: open(), reads: () => database.calls("getSessionAndUser") }
}

describe.skipIf(!hasServers).each(connections)("a cache in front of a database, through $name", ({ connect }) => {
  let connected: Promise<Connected> | undefined
  const open = async () => site((await (connected ??= connect())).client)
  afterAll(async () => (await connected)?.close())

  test("a session is read from the database once, by all processes together", async () => {
    const { database, here, there, reads } = await open()
    const stored = await database.adapter.getSessionAndUser("one")
    expect(stored?.session.expires).toEqual(expires)
    for (const adapter of [here, there, here, there]) expect(await adapter.getSessionAndUser("one")).toEqual(stored)
    expect(reads()).toBe(2)
  })

  const deletions: readonly [string, (adapter: Required<Adapter>) => unknown][] = [
    ["deleteSession", (adapter) => adapter.deleteSession("one")],
    ["deleteSessions", (adapter) => adapter.deleteSessions("ada")],
    ["deleteUser", (adapter) => adapter.deleteUser("ada")],
  ]

  describe.each(deletions)("%s", (_, remove) => {
    test("ends a session in every process at once", async () => {
      const { here, there } = await open()
      expect(await there.getSessionAndUser("one")).not.toBeNull()
      await remove(here)
      expect(await there.getSessionAndUser("one")).toBeNull()
      expect(await there.getSessionAndUser("one")).toBeNull()
    })

    test("wins over a reader who read the row before", async () => {
      const { database, here, there } = await open()
      const held = database.hold("getSessionAndUser")
      const reading = there.getSessionAndUser("one")
      await held.finished
      await remove(here)
      held.release()
      expect(await reading).not.toBeNull()
      expect(await there.getSessionAndUser("one")).toBeNull()
    })

    test("wins over a reader who finds the copy of the user, but not that of the session", async () => {
      const { database, here, there } = await open()
      await there.getSessionAndUser("two")
      const held = database.hold("getSessionAndUser")
      const reading = there.getSessionAndUser("one")
      await held.finished
      await remove(here)
      held.release()
      await reading
      expect(await there.getSessionAndUser("one")).toBeNull()
    })

    test("wins over 20 readers at the same time", async () => {
      const { here, there } = await open()
      const readers = Array.from({ length: 20 }, async (_, position) =>
        (position % 2 === 0 ? here : there).getSessionAndUser("one"),
      )
      await Promise.all([...readers, remove(here)])
      expect(await here.getSessionAndUser("one")).toBeNull()
      expect(await there.getSessionAndUser("one")).toBeNull()
    })
  })

  test("deleting one session keeps the others of the user", async () => {
    const { here, there, reads } = await open()
    for (const token of ["one", "two"]) await there.getSessionAndUser(token)
    await here.deleteSession("one")
    const before = reads()
    expect((await there.getSessionAndUser("two"))?.session.sessionToken).toBe("two")
    expect(reads()).toBe(before)
  })

  test("an update of a session is in the cache at once", async () => {
    const { here, there, reads } = await open()
    await there.getSessionAndUser("one")
    const later = new Date(expires.getTime() + 60_000)
    await here.updateSession({ sessionToken: "one", expires: later })
    const before = reads()
    expect((await there.getSessionAndUser("one"))?.session.expires).toEqual(later)
    expect(reads()).toBe(before)
  })

  test("an update that ends after a deletion doesn't bring the session back", async () => {
    const { database, here, there } = await open()
    await there.getSessionAndUser("one")
    const held = database.hold("updateSession")
    const updating = here.updateSession({ sessionToken: "one", expires })
    await held.finished
    await there.deleteSession("one")
    held.release()
    await updating
    expect(await there.getSessionAndUser("one")).toBeNull()
  })

  test("an update that begins during a deletion doesn't bring the session back", async () => {
    const { database, here, there } = await open()
    await there.getSessionAndUser("one")
    const held = database.hold("updateSession")
    const updating = here.updateSession({ sessionToken: "one", expires })
    await held.finished
    const others = [there.deleteSession("one"), here.describeSession("one", { browser: "Firefox" })]
    await Promise.all(others)
    held.release()
    await updating
    expect(await there.getSessionAndUser("one")).toBeNull()
  })

  test("a changed user is seen in all their sessions at once, also by a reader who read the row before", async () => {
    const { database, here, there } = await open()
    for (const token of ["one", "two"]) await there.getSessionAndUser(token)
    await here.deleteSession("two")
    const held = database.hold("getSessionAndUser")
    const reading = there.getSessionAndUser("two")
    await held.finished
    await here.updateUser({ id: "ada", name: "Countess" })
    held.release()
    await reading
    expect((await there.getSessionAndUser("one"))?.user.name).toBe("Countess")
    await here.describeSession("one", { browser: "Firefox" })
    expect((await there.getSessionAndUser("one"))?.session.details).toEqual({ browser: "Firefox" })
  })

  test("an unknown token is looked up once, and isn't unknown anymore when its session is created", async () => {
    const { here, there, reads } = await open()
    for (const adapter of [here, there, here]) expect(await adapter.getSessionAndUser("three")).toBeNull()
    expect(reads()).toBe(1)
    await here.createSession({ sessionToken: "three", userId: "ada", expires })
    expect((await there.getSessionAndUser("three"))?.user.id).toBe("ada")
  })

  test("a session that's created while another request looks for it isn't unknown afterwards", async () => {
    const { database, here, there } = await open()
    const held = database.hold("getSessionAndUser")
    const reading = there.getSessionAndUser("three")
    await held.finished
    await here.createSession({ sessionToken: "three", userId: "ada", expires })
    held.release()
    expect(await reading).toBeNull()
    for (const adapter of [here, there]) expect((await adapter.getSessionAndUser("three"))?.user.id).toBe("ada")
  })

  test("an update in a transaction that fails isn't seen", async () => {
    const { here, there } = await open()
    for (const token of ["one", "two"]) await there.getSessionAndUser(token)
    const failing = here.transaction(async (inside) => {
      await inside.updateSession?.({ sessionToken: "one", expires: new Date(0) })
      throw new Error("The callback failed")
    })
    await expect(failing).rejects.toThrow("The callback failed")
    expect((await there.getSessionAndUser("one"))?.session.expires).toEqual(expires)
  })

  test("a write in a transaction is seen when it's committed, and a reader can't store the former row", async () => {
    const { here, there } = await open()
    await there.getSessionAndUser("one")
    await here.transaction(async (inside) => {
      await inside.updateUser?.({ id: "ada", name: "Countess" })
      await inside.deleteSession?.("two")
    })
    expect((await there.getSessionAndUser("one"))?.user.name).toBe("Countess")
    expect(await there.getSessionAndUser("two")).toBeNull()
  })
})

describe.skipIf(!hasServers)("the cache", () => {
  let connected: ReturnType<typeof ioredis> | undefined
  const server = async () => (await (connected ??= ioredis(serverUrl()))).client
  afterAll(async () => (await connected)?.close())

  test("keeps copies for a minute, and an unknown token for ten seconds", async () => {
    const client = await server()
    const { prefix, here } = await site(client)
    await here.getSessionAndUser("one")
    await here.getSessionAndUser("unknown")
    const left = async (pattern: string) => {
      const [key = "none"] = await client.keys(`${prefix}${pattern}`)
      return client.pttl(key)
    }
    for (const pattern of ["session:*", "user:*"]) {
      expect(await left(pattern)).toBeGreaterThan(10_000)
      expect(await left(pattern)).toBeLessThanOrEqual(60_000)
    }
    expect(await left("unknown:*")).toBeGreaterThan(0)
    expect(await left("unknown:*")).toBeLessThanOrEqual(10_000)
  })

  test("sees a change in the database that wasn't made through it when the copies have expired", async () => {
    const client = await server()
    const { prefix, database, here } = await site(client)
    await here.getSessionAndUser("one")
    await database.adapter.deleteSessions("ada")
    expect(await here.getSessionAndUser("one")).not.toBeNull()
    await client.del(...(await client.keys(`${prefix}session:*`)))
    expect(await here.getSessionAndUser("one")).toBeNull()
  })

  test("reads a session from the database when its copy has expired, because it may have been extended", async () => {
    const client = await server()
    const { database, here } = await site(client)
    await database.adapter.createSession({ sessionToken: "short", userId: "ada", expires: new Date(Date.now() + 50) })
    expect(await here.getSessionAndUser("short")).not.toBeNull()
    await database.adapter.updateSession({ sessionToken: "short", expires })
    await expect.poll(async () => (await here.getSessionAndUser("short"))?.session.expires).toEqual(expires)
  })

  test("a deletion that takes longer than its mark stays wins over readers in between", async () => {
    const client = await server()
    const { prefix, database, there } = await site(client)
    const slow: Adapter = {
      ...database.adapter,
      deleteSession: async (token) => {
        await client.del(...(await client.keys(`${prefix}*`)))
        expect(await there.getSessionAndUser(token)).not.toBeNull()
        expect(await client.keys(`${prefix}session:*`)).toHaveLength(1)
        return database.adapter.deleteSession(token)
      },
    }
    await redisCache(slow, client, { prefix }).deleteSession?.("one")
    expect(await there.getSessionAndUser("one")).toBeNull()
  })

  test("a session that ended with all others stays ended when its user has a new copy", async () => {
    const client = await server()
    const { prefix, here, there } = await site(client)
    await there.getSessionAndUser("one")
    await here.deleteSessions("ada")
    // As if the mark had expired.
    await client.del(`${prefix}user:ada`)
    await here.createSession({ sessionToken: "three", userId: "ada", expires })
    for (let time = 0; time < 2; time++) expect(await there.getSessionAndUser("three")).not.toBeNull()
    expect(await client.exists(`${prefix}user:ada`)).toBe(1)
    expect(await there.getSessionAndUser("one")).toBeNull()
  })

  test("a reader who took more than five seconds doesn't store the row", async () => {
    const entries = entriesIn(commandsOf(await server()))
    const key = ownPrefix()
    const { at } = await entries.look(key)
    const store = async (readAt: number) =>
      entries.fill(key, { seen: { text: null, at: readAt }, text: "{}", ttl: 1000 })
    expect(await store(at - 5001)).toBe(false)
    expect(await store(at - 1000)).toBe(true)
  })

  test("an update can't replace the mark of a deletion, and doesn't end the mark of another update", async () => {
    const entries = entriesIn(commandsOf(await server()))
    const key = ownPrefix()
    const copy = { text: "{}", ttl: 1000 }
    const first = await entries.mark(key, "update")
    const second = await entries.mark(key, "update")
    await entries.settle(key, first, copy)
    expect((await entries.look(key)).text).toBe(second)
    const deletion = await entries.mark(key, "delete")
    const third = await entries.mark(key, "update")
    for (const mark of [second, third]) await entries.settle(key, mark, copy)
    expect((await entries.look(key)).text).toBe(deletion)
  })

  test("has no session token in a key or value", async () => {
    const client = await server()
    const { prefix, database, here } = await site(client)
    const sessionToken = crypto.randomUUID()
    await database.adapter.createSession({ sessionToken, userId: "ada", expires })
    expect((await here.getSessionAndUser(sessionToken))?.session.sessionToken).toBe(sessionToken)
    await here.getSessionAndUser(sessionToken)
    const keys = await client.keys(`${prefix}*`)
    const values = await client.mget(...keys)
    expect(keys).toHaveLength(2)
    expect([...keys, ...values].join()).not.toContain(sessionToken)
  })

  test("random tokens take a bounded number of keys", async () => {
    const client = await server()
    const { prefix, here } = await site(client)
    await Promise.all(Array.from({ length: 200 }, async () => here.getSessionAndUser(crypto.randomUUID())))
    const stored = await client.keys(`${prefix}*`)
    expect(stored.filter((key) => !key.startsWith(`${prefix}unknown:`))).toEqual([])
    const { ofSession } = keysUnder(prefix)
    const keys = await Promise.all(Array.from({ length: 40_000 }, async (_, token) => ofSession(String(token))))
    expect(new Set(keys.map(({ unknown }) => unknown)).size).toBeLessThanOrEqual(16_384)
  })

  test("a session that's created in a transaction isn't unknown if a request looks for it before the commit", async () => {
    const client = await server()
    const { prefix, database } = await site(client)
    let isCommitted = false
    const adapter: Required<Adapter> = {
      ...database.adapter,
      getSessionAndUser: (token) => (isCommitted ? database.adapter.getSessionAndUser(token) : null),
    }
    const [here, there] = [redisCache(adapter, client, { prefix }), redisCache(adapter, client, { prefix })]
    await here.transaction(async (inside) => {
      await inside.createSession?.({ sessionToken: "three", userId: "ada", expires })
      expect(await there.getSessionAndUser("three")).toBeNull()
    })
    isCommitted = true
    expect((await there.getSessionAndUser("three"))?.user.id).toBe("ada")
  })

  test("two unknown tokens with the same key aren't mixed up", async () => {
    const client = await server()
    const { prefix, here } = await site(client)
    const { ofSession } = keysUnder(prefix)
    const place = (await ofSession("one")).unknown
    let twin = 0
    while ((await ofSession(String(twin))).unknown !== place) twin++
    expect(await here.getSessionAndUser(String(twin))).toBeNull()
    expect(await client.exists(place)).toBe(1)
    expect((await here.getSessionAndUser("one"))?.session.sessionToken).toBe("one")
  })

  test("a row that JSON can't hold is read from the database each time, unchanged", async () => {
    const client = await server()
    class Money {
      readonly #cents = 100
      get cents(): number {
        return this.#cents
      }
    }
    const { adapter } = observed()
    const user = { id: "ada", email: "ada@example.com", emailVerified: null, balance: new Money() }
    let reads = 0
    const getSessionAndUser = () => {
      reads++
      return { session: { sessionToken: "one", userId: "ada", expires }, user }
    }
    const own: Adapter = { ...adapter, getSessionAndUser }
    const cached = redisCache(own, client, { prefix: ownPrefix() })
    for (let time = 0; time < 3; time++) {
      expect(Object(await cached.getSessionAndUser?.("one")).user.balance.cents).toBe(100)
    }
    expect(reads).toBe(3)
  })

  test("dates, big integers and nested values come back as they were", async () => {
    const client = await server()
    const { adapter } = observed()
    const details = { seen: expires, big: 2n ** 64n, list: [1, { at: expires }, null], nothing: null, off: false }
    const found = {
      session: { sessionToken: "one", userId: "ada", expires },
      user: { id: "ada", email: "ada@example.com", emailVerified: null, ...details },
    }
    let reads = 0
    const getSessionAndUser = () => {
      reads++
      return found
    }
    const own: Adapter = { ...adapter, getSessionAndUser }
    const cached = redisCache(own, client, { prefix: ownPrefix() })
    for (let time = 0; time < 3; time++) expect(await cached.getSessionAndUser?.("one")).toEqual(found)
    expect(reads).toBe(1)
  })

  test("keeps the other methods of an adapter, also of a class with private fields", async () => {
    const client = await server()
    class Own {
      readonly #users = new Map([["ada", { id: "ada", email: "ada@example.com", emailVerified: null }]])
      getUser(id: string) {
        return this.#users.get(id) ?? null
      }
      getSessionAndUser() {
        return null
      }
      get size(): number {
        return this.#users.size
      }
    }
    class Extended extends Own {
      migrate(): string {
        return `migrated ${this.size}`
      }
    }
    const cached = redisCache(new Extended(), client, { prefix: ownPrefix() })
    expect(cached.getUser("ada")?.email).toBe("ada@example.com")
    expect(cached.migrate()).toBe("migrated 1")
    expect(cached.size).toBe(1)
    expect(Object.keys(cached)).not.toContain("deleteSession")
    expect(Object.keys({ ...cached }).toSorted()).toEqual(["getSessionAndUser", "getUser", "migrate", "size"])
  })

  test("a client of Upstash is rejected, which has methods with the same names", () => {
    const client = { get: () => null, eval: () => null, evalsha: () => null, createScript: () => null }
    expect(() => redisCache(observed().adapter, client as never)).toThrow("`@upstash/redis` isn't supported")
  })

  test("an adapter without sessions is rejected, and something that isn't a client", async () => {
    const client = await server()
    expect(() => redisCache({}, client)).toThrow("The adapter has no getSessionAndUser. Pass an adapter that stores")
    const { adapter } = observed()
    for (const wrong of [undefined, null, "redis://localhost", {}, { get: () => null }]) {
      expect(() => redisCache(adapter, wrong as never)).toThrow("This isn't a Redis client. Pass a client of `ioredis`")
    }
  })
})
