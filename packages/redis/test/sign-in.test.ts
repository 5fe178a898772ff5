import type { AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { redis, redisCache, type RedisClient, redisSessions } from "@latchkey/redis"
import { sqlite } from "@latchkey/sql/sqlite"
import { createProvider, visit } from "@latchkey/testing"
import { Redis } from "ioredis"
import { afterAll, describe, expect, test } from "vitest"
import { type Connected, type Connection, connections, hasServers, ownPrefix, serverUrl } from "./clients.js"

interface Use {
  readonly use: string
  readonly open: (client: RedisClient) => Adapter
}

const uses: readonly Use[] = [
  { use: "everything in Redis", open: (client) => redis(client, { baseKeyPrefix: ownPrefix() }) },
  { use: "sessions in Redis", open: (client) => redisSessions(sqlite(":memory:"), client, { prefix: ownPrefix() }) },
  { use: "a cache in Redis", open: (client) => redisCache(sqlite(":memory:"), client, { prefix: ownPrefix() }) },
]

/** Returns numbers as text. */
const stringNumbers: Connection = {
  name: "ioredis with stringNumbers",
  connect: async () => {
    const client = new Redis(serverUrl(), { stringNumbers: true })
    return { client, close: async () => client.disconnect() }
  },
}

describe.skipIf(!hasServers).each([...connections, stringNumbers])("through $name", ({ connect }) => {
  let connected: Promise<Connected> | undefined
  const client = async () => (await (connected ??= connect())).client
  afterAll(async () => (await connected)?.close())

  describe.each(uses)("with $use", ({ open }) => {
    const site = async () => {
      const op = createProvider()
      const adapter = open(await client())
      const config: AuthConfig = {
        adapter,
        providers: [op.provider()],
        session: { strategy: "database" },
        callbacks: { session: ({ session, user }) => ({ ...session, id: user.id }) },
      }
      return { adapter, op, browser: await visit(config) }
    }

    test("a user signs in on two browsers as one user, and signs out of one", async () => {
      const { browser, op } = await site()
      await browser.signInWith(op, { as: "ada" })
      const other = browser.fresh()
      await other.signInWith(op, { as: "ada" })
      const session = await browser.session()
      expect(session).toMatchObject({ user: { email: "ada@example.test" } })
      expect(await other.session()).toMatchObject({ id: Object(session).id })
      await browser.signOut()
      expect(await browser.session()).toBeNull()
      expect(await other.session()).toMatchObject({ id: Object(session).id })
    })

    test("a user whose name and image can't be stored as they are signs in", async () => {
      const { browser, op } = await site()
      const claims = { name: "Ada \uD83D", picture: "https://img.test/\0a" }
      op.inject({ idToken: (token) => ({ ...token, claims: { ...token.claims, ...claims } }) })
      await browser.signInWith(op, { as: "ada" })
      expect(await browser.session()).toMatchObject({ user: { name: "Ada \uFFFD", image: "https://img.test/a" } })
    })

    test("signing out everywhere ends the sessions of all browsers, and no later sign-in", async () => {
      const { adapter, browser, op } = await site()
      await browser.signInWith(op, { as: "ada" })
      const other = browser.fresh()
      await other.signInWith(op, { as: "ada" })
      const id = String(Object(await other.session()).id)
      await adapter.deleteSessions?.(id)
      expect(await browser.session()).toBeNull()
      expect(await other.session()).toBeNull()
      await browser.signInWith(op, { as: "ada" })
      expect(await browser.session()).toMatchObject({ id })
    })

    test("of 20 parallel first sign-ins with one email, all lead to one user", async () => {
      const { adapter } = await site()
      const email = `${ownPrefix()}@example.com`.replaceAll(":", "")
      const attempts = Array.from({ length: 20 }, async () => {
        const user = { id: crypto.randomUUID(), email, emailVerified: null }
        return adapter.createUser?.(user)
      })
      const outcomes = await Promise.allSettled(attempts)
      const created = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value?.id] : []))
      expect(created).toEqual([(await adapter.getUserByEmail?.(email))?.id])
      const codes = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []))
      expect(new Set(codes)).toEqual(new Set(["LATCHKEY_UNIQUE"]))
    })
  })
})
