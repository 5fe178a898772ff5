import { redisCache, redisRateLimit, redisSessions } from "@latchkey/redis"
import { sqlite } from "@latchkey/sql/sqlite"
import { describe, expect, test } from "vitest"
import { hasServers, ioredis, ownPrefix, serverUrl } from "./clients.js"

const client = { get: async () => null, eval: async () => null, evalsha: async () => null }
const functions = { redisCache, redisSessions }
const never = [Number.NaN, -1, Number.POSITIVE_INFINITY, 0.0001, 1e13, "60", null]

describe("an option out of its range is an error that names it", () => {
  const options: readonly (readonly [keyof typeof functions, string, readonly unknown[]])[] = [
    ["redisCache", "ttlSeconds", [...never, 0]],
    ["redisCache", "unknownTtlSeconds", never],
    ["redisCache", "timeoutMillis", [...never, 0]],
    ["redisCache", "retryMillis", never],
    ["redisSessions", "ttlSeconds", never],
  ]
  test.each(options)("%s: %s", (name, option, values) => {
    for (const value of values) {
      // JavaScript allows any value.
      const create = () => functions[name](sqlite(":memory:"), client, { [option]: value as number })
      expect(create).toThrow(RangeError)
      expect(create).toThrow(`\`${option}\` is ${String(value)}`)
    }
  })
})

test("0 is accepted where it has a meaning", () => {
  expect(() => redisSessions(sqlite(":memory:"), client, { ttlSeconds: 0 })).not.toThrow()
  expect(() => redisCache(sqlite(":memory:"), client, { unknownTtlSeconds: 0, retryMillis: 0 })).not.toThrow()
})

describe.each([
  ["redisCache", redisCache],
  ["redisSessions", redisSessions],
])("%s", (_, create) => {
  test.each([undefined, null, "postgres://localhost"])("with %j instead of an adapter says what to pass", (adapter) => {
    expect(() => create(adapter as never, client)).toThrow("Pass the adapter of your database first")
  })

  test.each([undefined, null, {}, "redis://localhost", Promise.resolve(client)])(
    "with %j instead of a client says what to pass",
    (other) => {
      expect(() => create(sqlite(":memory:"), other as never)).toThrow("Pass a client of `ioredis` or `redis`")
    },
  )
})

test.skipIf(!hasServers)("times with fractions of a millisecond are stored", async () => {
  const { client: server, close } = await ioredis(serverUrl())
  const prefix = ownPrefix()
  const database = sqlite(":memory:")
  await database.createUser({ id: "ada", email: "ada@example.com", emailVerified: null })
  await database.createSession({ sessionToken: "one", userId: "ada", expires: new Date(Date.now() + 60_000) })
  const adapter = redisCache(database, server, { prefix, ttlSeconds: 100.0005, unknownTtlSeconds: 100.0005 })
  for (const token of ["one", "unknown"]) await adapter.getSessionAndUser(token)
  const kinds = (await server.keys(`${prefix}*`)).map((key) => key.slice(prefix.length).split(":")[0])
  expect(kinds.toSorted()).toEqual(["session", "unknown", "user"])
  const limits = redisRateLimit(server, { prefix })
  expect((await limits.take("key", { points: 1, seconds: 100.0005 })).allowed).toBe(true)
  await close()
})
