import type { Adapter } from "@latchkey/core/adapters"
import { type RedisClient, redisSessions } from "@latchkey/redis"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { type Connected, connections, hasServers, ioredis, ownPrefix, serverUrl } from "./clients.js"
import { paused } from "./interrupted.js"
import { observed } from "./observed.js"

const expires = new Date(Date.now() + 3_600_000)

async function site(client: RedisClient, ttlSeconds?: number) {
  const [prefix, database] = [ownPrefix(), observed()]
  const open = (): Required<Adapter> =>
    redisSessions(database.adapter, client, { prefix, ...(ttlSeconds !== undefined && { ttlSeconds }) })
  const [here, there] = [open(), open()]
  await here.createUser({ id: "ada", name: "Ada", email: "ada@example.com", emailVerified: expires })
  await here.createSession({ sessionToken: "one", userId: "ada", expires })
  return { prefix, database, here, there, reads: () => database.calls("getUser") }
}

describe.skipIf(!hasServers).each(connections)(
  "sessions in Redis, users in a database, through $name",
  ({ connect }) => {
    let connected: Promise<Connected> | undefined
    const open = async (ttlSeconds?: number) => site((await (connected ??= connect())).client, ttlSeconds)
    afterAll(async () => (await connected)?.close())
    const another = async () => {
      const opened = await connect()
      onTestFinished(async () => void (await opened.close()))
      return opened
    }

    test("the database has no session, and its user is read once for all processes", async () => {
      const { database, here, there, reads } = await open()
      const before = reads()
      const user = await database.adapter.getUser("ada")
      for (const adapter of [here, there, here]) {
        expect(await adapter.getSessionAndUser("one")).toEqual({
          session: { sessionToken: "one", userId: "ada", expires },
          user,
        })
      }
      expect(reads() - before).toBe(1)
      expect(await database.adapter.listSessions("ada")).toEqual([])
      expect(database.calls("getSessionAndUser")).toBe(0)
    })

    test("a changed user is seen by every process at once, also if one of them read the row before", async () => {
      const { database, here, there } = await open(60)
      await here.updateUser({ id: "ada", name: "First" })
      const held = database.hold("getUser")
      const reading = there.getSessionAndUser("one")
      await held.finished
      await here.updateUser({ id: "ada", name: "Countess" })
      held.release()
      await reading
      for (const adapter of [here, there]) expect((await adapter.getSessionAndUser("one"))?.user.name).toBe("Countess")
    })

    test("a deleted user has no session, also if a process read the row before", async () => {
      const { prefix, database, here, there } = await open()
      await here.createSession({ sessionToken: "two", userId: "ada", expires })
      const other = redisSessions(database.adapter, (await another()).client, { prefix, ttlSeconds: 0 })
      const held = database.hold("getUser")
      const reading = other.getSessionAndUser("one")
      await held.finished
      await here.deleteUser("ada")
      held.release()
      await reading
      for (const token of ["one", "two"]) expect(await there.getSessionAndUser(token)).toBeNull()
      expect(await there.listSessions("ada")).toEqual([])
    })

    test("without copies, each read of a session reads the user", async () => {
      const { database, here, there, reads } = await open(0)
      const before = reads()
      await there.getSessionAndUser("one")
      await database.adapter.updateUser({ id: "ada", name: "Countess" })
      expect((await here.getSessionAndUser("one"))?.user.name).toBe("Countess")
      expect(reads() - before).toBe(2)
    })

    test("signing out everywhere ends the sessions of one user in every process", async () => {
      const { here, there } = await open()
      await here.createUser({ id: "bob", email: "bob@example.com", emailVerified: null })
      await here.createSession({ sessionToken: "bob", userId: "bob", expires })
      await there.deleteSessions("ada")
      expect(await here.getSessionAndUser("one")).toBeNull()
      expect(await here.getSessionAndUser("bob")).not.toBeNull()
      await here.createSession({ sessionToken: "again", userId: "ada", expires })
      expect(await there.getSessionAndUser("again")).not.toBeNull()
    })

    test("of a sign-out everywhere and 20 sign-ins at the same time, no session is alive and not listed", async () => {
      const { here, there } = await open()
      const tokens = Array.from({ length: 20 }, (_, position) => `token-${position}`)
      await Promise.all([
        ...tokens.map(async (sessionToken) => here.createSession({ sessionToken, userId: "ada", expires })),
        there.deleteSessions("ada"),
      ])
      const listed = (await there.listSessions("ada")).map((row) => row.sessionToken)
      for (const token of tokens) expect(listed.includes(token)).toBe((await there.getSessionAndUser(token)) !== null)
      await there.deleteSessions("ada")
      for (const token of tokens) expect(await here.getSessionAndUser(token)).toBeNull()
    })

    test("a sign-in that began before a sign-out everywhere, and ends after it, has no session", async () => {
      const { prefix, database, here } = await open()
      await here.getSessionAndUser("one")
      const { client, reached, release } = paused((await another()).client, 3)
      const slow = redisSessions(database.adapter, client, { prefix })
      const creating = (async () => slow.createSession({ sessionToken: "two", userId: "ada", expires }))()
      await reached
      await here.deleteSessions("ada")
      release()
      await creating
      expect(await here.getSessionAndUser("two")).toBeNull()
      expect(await here.listSessions("ada")).toEqual([])
    })

    test("a session of a transaction exists when it's committed, and not if it fails", async () => {
      const { here } = await open()
      const session = { sessionToken: "two", userId: "ada", expires }
      const failing = here.transaction(async (inside) => {
        await inside.createSession?.(session)
        throw new Error("The callback failed")
      })
      await expect(failing).rejects.toThrow("The callback failed")
      expect(await here.getSessionAndUser("two")).toBeNull()
      await here.transaction(async (inside) => {
        await inside.createUser?.({ id: "bob", email: "bob@example.com", emailVerified: null })
        await inside.createSession?.({ ...session, userId: "bob" })
      })
      expect((await here.getSessionAndUser("two"))?.user.id).toBe("bob")
    })
  },
)

describe.skipIf(!hasServers)("sessions in Redis", () => {
  let connected: ReturnType<typeof ioredis> | undefined
  const server = async () => (await (connected ??= ioredis(serverUrl()))).client
  afterAll(async () => (await connected)?.close())

  test("a copy of a user is used for a minute, and then changes in the database are seen", async () => {
    const client = await server()
    const { prefix, database, here } = await site(client)
    await here.getSessionAndUser("one")
    await database.adapter.updateUser({ id: "ada", name: "Countess" })
    expect((await here.getSessionAndUser("one"))?.user.name).toBe("Ada")
    const left = await client.pttl(`${prefix}user:ada`)
    expect(left).toBeGreaterThan(10_000)
    expect(left).toBeLessThanOrEqual(60_000)
    await client.del(`${prefix}user:ada`)
    expect((await here.getSessionAndUser("one"))?.user.name).toBe("Countess")
  })

  test("a transaction that runs again stores the sessions of its last run only", async () => {
    const client = await server()
    const { database, prefix } = await site(client)
    const transaction: Required<Adapter>["transaction"] = async (work) => {
      await work(database.adapter)
      return work(database.adapter)
    }
    const adapter = redisSessions({ ...database.adapter, transaction }, client, { prefix })
    let run = 0
    await adapter.transaction?.(async (inside) => {
      run += 1
      await inside.createSession?.({ sessionToken: `run ${run}`, userId: "ada", expires })
    })
    expect(await adapter.getSessionAndUser?.("run 1")).toBeNull()
    expect(await adapter.getSessionAndUser?.("run 2")).toMatchObject({ user: { id: "ada" } })
  })

  test("an adapter without users is rejected", async () => {
    const client = await server()
    expect(() => redisSessions({}, client)).toThrow("The adapter has no getUser. Pass an adapter that stores users.")
  })
})
