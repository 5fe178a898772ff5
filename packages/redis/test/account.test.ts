import { redis, redisCache, redisSessions } from "@latchkey/redis"
import { sqlite } from "@latchkey/sql/sqlite"
import { afterAll, describe } from "vitest"
import { testAccountFunctions } from "../../core/test/account/behaviors.js"
import { type Connected, connections, hasServers, ownPrefix } from "./clients.js"

describe.skipIf(!hasServers).each(connections)("account functions through $name", ({ connect }) => {
  let connected: Promise<Connected> | undefined
  const client = async () => (await (connected ??= connect())).client
  afterAll(async () => (await connected)?.close())

  describe("with everything in Redis", () => {
    testAccountFunctions(async () => redis(await client(), { baseKeyPrefix: ownPrefix() }))
  })
  describe("with sessions in Redis", () => {
    testAccountFunctions(async () => redisSessions(sqlite(":memory:"), await client(), { prefix: ownPrefix() }))
  })
  describe("with a cache in Redis", () => {
    testAccountFunctions(async () => redisCache(sqlite(":memory:"), await client(), { prefix: ownPrefix() }))
  })
})
