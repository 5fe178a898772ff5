import { allCapabilities, testAdapter, type TestAdapterOptions } from "@latchkey/adapter-kit"
import { redis, redisCache, redisSessions } from "@latchkey/redis"
import { sqlite } from "@latchkey/sql/sqlite"
import { afterAll, describe, test } from "vitest"
import { type Connected, connections, hasServers, ownPrefix } from "./clients.js"

/** A transaction can't be undone over several slots of a cluster, so there is none. */
const withoutTransaction = allCapabilities.filter((name) => name !== "transaction")

describe.skipIf(!hasServers).each(connections)("through $name", ({ connect }) => {
  const opened: Connected[] = []
  afterAll(async () => {
    for (const { close } of opened) await close()
  })
  const open = async () => {
    const connected = await connect()
    opened.push(connected)
    return connected.client
  }
  const conforms = (options: Pick<TestAdapterOptions, "name" | "create" | "capabilities">) =>
    testAdapter({ webauthn: true, ...options }, { describe, test })

  conforms({
    name: "everything in Redis",
    create: async () => redis(await open(), { baseKeyPrefix: ownPrefix() }),
    capabilities: withoutTransaction,
  })
  conforms({
    name: "sessions in Redis, the rest in SQL",
    create: async () => redisSessions(sqlite(":memory:"), await open(), { prefix: ownPrefix() }),
    capabilities: allCapabilities,
  })
  conforms({
    name: "sessions in Redis, the rest in SQL, without copies of users",
    create: async () => redisSessions(sqlite(":memory:"), await open(), { prefix: ownPrefix(), ttlSeconds: 0 }),
    capabilities: allCapabilities,
  })
  conforms({
    name: "a cache in front of SQL",
    create: async () => redisCache(sqlite(":memory:"), await open(), { prefix: ownPrefix() }),
    capabilities: allCapabilities,
  })
})
