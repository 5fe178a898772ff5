import { UpstashRedisAdapter, type UpstashRedisAdapterOptions } from "@auth/upstash-redis-adapter"
import type { Adapter, AdapterAccount } from "@latchkey/core/adapters"
import { redis, type RedisAdapter } from "@latchkey/redis"
import { createProvider, visit } from "@latchkey/testing"
import { Redis as UpstashRedis } from "@upstash/redis"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Bridge, startBridge } from "./bridge.js"
import { hasServers, ioredis, ownPrefix, serverUrl } from "./clients.js"

const expires = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_123)

interface Both {
  readonly prefix: string
  /** `@auth/upstash-redis-adapter` as published. */
  readonly published: Required<Pick<Adapter, PublishedMethods>>
  readonly ours: RedisAdapter
}

type PublishedMethods =
  | "createUser"
  | "getUser"
  | "getUserByEmail"
  | "getUserByAccount"
  | "updateUser"
  | "deleteUser"
  | "linkAccount"
  | "unlinkAccount"
  | "createSession"
  | "getSessionAndUser"
  | "updateSession"
  | "deleteSession"
  | "createVerificationToken"
  | "useVerificationToken"

describe.skipIf(!hasServers)("together with @auth/upstash-redis-adapter", () => {
  let server: Awaited<ReturnType<typeof ioredis>>
  let bridge: Bridge
  beforeAll(async () => {
    server = await ioredis(serverUrl())
    bridge = await startBridge(server.client)
  })
  afterAll(async () => {
    await bridge.close()
    await server.close()
  })

  function both(options: UpstashRedisAdapterOptions = {}): Both {
    const baseKeyPrefix = ownPrefix()
    const upstash = new UpstashRedis({ url: bridge.url, token: "unused", responseEncoding: false })
    // The published declarations are those of `@auth/core`, whose types are as wide as ours.
    const published = UpstashRedisAdapter(upstash, { ...options, baseKeyPrefix }) as Both["published"]
    return { prefix: baseKeyPrefix, published, ours: redis(server.client, { ...options, baseKeyPrefix }) }
  }

  const newUser = (email: string) => ({
    id: crypto.randomUUID(),
    name: "Ada",
    email,
    image: null,
    emailVerified: expires,
    joined: expires,
  })

  const accountOf = (userId: string, providerAccountId: string): AdapterAccount => ({
    userId,
    type: "oidc",
    provider: "op",
    providerAccountId,
    access_token: "token",
    expires_at: 1_900_000_000,
  })

  describe.each([
    ["the default prefixes", {}],
    ["other prefixes", { userKeyPrefix: "u:", sessionKeyPrefix: "s:", accountKeyPrefix: "a:", emailKeyPrefix: "e:" }],
  ])("with %s", (_, options) => {
    test.each([
      ["we read what it wrote", (its: Both) => ({ writer: its.published, reader: its.ours })],
      ["it reads what we wrote", (its: Both) => ({ writer: its.ours, reader: its.published })],
    ])("%s", async (_, roles) => {
      const { writer, reader } = roles(both(options))
      const user = await writer.createUser(newUser("ada@example.com"))
      expect(await reader.getUser(user.id)).toEqual(user)
      expect(await reader.getUserByEmail(user.email)).toEqual(user)
      await writer.linkAccount(accountOf(user.id, "ada"))
      expect(await reader.getUserByAccount({ provider: "op", providerAccountId: "ada" })).toEqual(user)
      const session = { sessionToken: "token", userId: user.id, expires }
      await writer.createSession(session)
      expect(await reader.getSessionAndUser("token")).toEqual({ session, user })
      const token = { identifier: "ada@example.com", token: "link", expires }
      await writer.createVerificationToken(token)
      expect(await reader.useVerificationToken(token)).toEqual(token)
      expect(await reader.useVerificationToken(token)).toBeNull()
    })

    test.each([
      ["we change what it wrote", (its: Both) => ({ writer: its.published, changer: its.ours })],
      ["it changes what we wrote", (its: Both) => ({ writer: its.ours, changer: its.published })],
    ])("%s", async (_, roles) => {
      const { writer, changer } = roles(both(options))
      const user = await writer.createUser(newUser("ada@example.com"))
      await writer.createSession({ sessionToken: "token", userId: user.id, expires })
      await writer.linkAccount(accountOf(user.id, "ada"))
      expect(await changer.updateUser({ id: user.id, name: "Countess" })).toEqual({ ...user, name: "Countess" })
      expect(await writer.getUser(user.id)).toEqual({ ...user, name: "Countess" })
      const later = new Date(expires.getTime() + 60_000)
      await changer.updateSession({ sessionToken: "token", expires: later })
      expect((await writer.getSessionAndUser("token"))?.session.expires).toEqual(later)
      await changer.unlinkAccount({ provider: "op", providerAccountId: "ada" })
      expect(await writer.getUserByAccount({ provider: "op", providerAccountId: "ada" })).toBeNull()
      await changer.deleteSession("token")
      expect(await writer.getSessionAndUser("token")).toBeNull()
      await changer.deleteUser(user.id)
      expect(await writer.getUser(user.id)).toBeNull()
      expect(await writer.getUserByEmail(user.email)).toBeNull()
    })
  })

  test("our keys and values are the same, apart from the index and the time to live", async () => {
    const { prefix, published, ours } = both()
    const stored = async () => {
      const names = (await server.client.keys(`${prefix}user:*`)).toSorted()
      return Promise.all(names.map(async (name) => [name.slice(prefix.length), await server.client.get(name)]))
    }
    const write = async (adapter: Both["published"], user: { id: string }) => {
      await adapter.linkAccount(accountOf(user.id, "ada"))
      await adapter.createSession({ sessionToken: "token", userId: user.id, expires })
      await adapter.createVerificationToken({ identifier: "ada@example.com", token: "link", expires })
    }
    const user = await published.createUser(newUser("ada@example.com"))
    await write(published, user)
    const theirs = await stored()
    await server.client.del(...(await server.client.keys(`${prefix}*`)))
    await ours.createUser(user)
    await write(ours, user)
    expect(await stored()).toEqual(theirs)
    expect(theirs).toHaveLength(7)
  })

  test("every session that it stored ends with `deleteSessions`, also those that are in no index", async () => {
    const { published, ours } = both()
    const user = await published.createUser(newUser("ada@example.com"))
    for (const sessionToken of ["first", "second"]) {
      await published.createSession({ sessionToken, userId: user.id, expires })
    }
    expect(await ours.getSessionAndUser("first")).not.toBeNull()
    await ours.deleteSessions(user.id)
    expect(await ours.getSessionAndUser("first")).toBeNull()
    expect(await ours.getSessionAndUser("second")).toBeNull()
    await ours.createSession({ sessionToken: "third", userId: user.id, expires })
    expect((await published.getSessionAndUser("third"))?.user.id).toBe(user.id)
    await published.updateUser({ id: user.id, name: "Countess" })
    expect(await ours.getSessionAndUser("third")).not.toBeNull()
    expect(await ours.getSessionAndUser("first")).toBeNull()
  })

  test("an account that it linked is listed from the next sign-in on", async () => {
    const { published, ours } = both()
    const user = await published.createUser(newUser("ada@example.com"))
    await published.linkAccount(accountOf(user.id, "first"))
    await published.linkAccount(accountOf(user.id, "latest"))
    const listed = async () => (await ours.listAccounts(user.id)).map((row) => row.providerAccountId).toSorted()
    expect(await listed()).toEqual(["latest"])
    await ours.updateAccount(accountOf(user.id, "first"))
    expect(await listed()).toEqual(["first", "latest"])
  })

  test("a name that looks like a date stays text", async () => {
    const { ours } = both()
    const name = "2031-02-03T14:15:16.789Z"
    const user = await ours.createUser({ ...newUser("ada@example.com"), name })
    expect((await ours.getUser(user.id))?.name).toBe(name)
  })

  test("records of one kind aren't found as another, although their keys can be equal", async () => {
    const { ours } = both()
    const user = await ours.createUser(newUser("ada@example.com"))
    await ours.createSession({ sessionToken: "token", userId: user.id, expires })
    await ours.createVerificationToken({ identifier: "a:b", token: "c", expires })
    expect(await ours.getUser("session:token")).toBeNull()
    expect(await ours.getUser("email:ada@example.com")).toBeNull()
    expect(await ours.getSessionAndUser(`by-user-id:${user.id}`)).toBeNull()
    expect(await ours.useVerificationToken({ identifier: "a", token: "b:c" })).toBeNull()
    expect(await ours.useVerificationToken({ identifier: "a:b", token: "c" })).not.toBeNull()
    await ours.linkAccount({ ...accountOf(user.id, "b:c"), provider: "a" })
    expect(await ours.getUser("account:a:b:c")).toBeNull()
    expect(await ours.getUserByAccount({ provider: "a:b", providerAccountId: "c" })).toBeNull()
  })

  test.each([
    ["after the swap", (its: Both) => [its.published, its.ours] as const],
    ["after the way back", (its: Both) => [its.ours, its.published] as const],
  ])("a user who signed in before is still signed in %s, and signs in to the same account", async (_, roles) => {
    const [former, latter] = roles(both())
    const op = createProvider()
    const open = async (adapter: Adapter) =>
      visit({
        adapter,
        providers: [op.provider()],
        session: { strategy: "database" },
        callbacks: { session: ({ session, user }) => ({ ...session, id: user.id }) },
      })
    const before = await open(former)
    await before.signInWith(op, { as: "ada" })
    const { id } = Object(await before.session())
    const after = await open(latter)
    for (const cookie of before.cookies) after.jar.put(cookie)
    expect(await after.session()).toMatchObject({ id, user: { email: "ada@example.test" } })
    await after.signOut()
    expect(await after.session()).toBeNull()
    expect(await before.session()).toBeNull()
    await after.signInWith(op, { as: "ada" })
    expect(await after.session()).toMatchObject({ id })
  })
})
