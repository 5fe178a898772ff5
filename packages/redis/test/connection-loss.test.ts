import { allCapabilities, testConnectionLoss } from "@latchkey/adapter-kit"
import { breakableProxy } from "@latchkey/adapter-kit/proxy"
import { redis, redisCache, type RedisClient, redisSessions } from "@latchkey/redis"
import { sqlite } from "@latchkey/sql/sqlite"
import { Redis } from "ioredis"
import { createClient } from "redis"
import { afterAll, describe, inject, test } from "vitest"
import { hasServers, ownPrefix } from "./clients.js"

const proxy = await breakableProxy({
  host: "127.0.0.1",
  port: Number(new URL(inject("redis") ?? "redis://localhost:1").port),
})
afterAll(() => proxy.close())

/** Both reconnect at once, and keep a command until they have. */
const clients: readonly { readonly name: string; readonly connect: () => Promise<Opened> }[] = [
  {
    name: "ioredis",
    connect: async () => {
      const client = new Redis({ host: proxy.host, port: proxy.port, lazyConnect: true, retryStrategy: () => 1 })
      client.on("error", () => undefined)
      await client.connect()
      return { client, close: () => client.disconnect() }
    },
  },
  {
    name: "redis",
    connect: async () => {
      const socket = { host: proxy.host, port: proxy.port, reconnectStrategy: () => 1 }
      const client = createClient({ socket })
      client.on("error", () => undefined)
      await client.connect()
      return { client, close: () => client.destroy() }
    },
  },
]

/** Operations of the adapters over SQL that don't use Redis. */
const databaseOnly = [
  "loss.createUser",
  "loss.readUser",
  "loss.transaction",
  "loss.linkAccount",
  "loss.unlinkAccount",
  "loss.createVerificationToken",
  "loss.useVerificationToken",
]

interface Opened {
  readonly client: RedisClient
  close(): void
}

describe.skipIf(!hasServers).each(clients)("when the connection of $name breaks", ({ connect }) => {
  const opened: Opened[] = []
  afterAll(() => {
    for (const { close } of opened) close()
  })
  const open = async () => {
    const one = await connect()
    opened.push(one)
    return one.client
  }
  const { breakConnection } = proxy
  const withoutTransaction = allCapabilities.filter((name) => name !== "transaction")
  const onError = () => undefined

  testConnectionLoss(
    {
      name: "everything in Redis",
      create: async () => redis(await open(), { baseKeyPrefix: ownPrefix() }),
      breakConnection,
      capabilities: withoutTransaction,
      webauthn: true,
    },
    { describe, test },
  )
  testConnectionLoss(
    {
      name: "sessions in Redis",
      create: async () => redisSessions(sqlite(":memory:"), await open(), { prefix: ownPrefix() }),
      breakConnection,
      capabilities: allCapabilities,
      skip: databaseOnly,
    },
    { describe, test },
  )
  testConnectionLoss(
    {
      name: "a cache in Redis",
      // Without a pause after a failure, which would keep the next operation from using Redis.
      create: async () =>
        redisCache(sqlite(":memory:"), await open(), { prefix: ownPrefix(), onError, retryMillis: 0 }),
      breakConnection,
      capabilities: allCapabilities,
      skip: [...databaseOnly],
    },
    { describe, test },
  )
})
