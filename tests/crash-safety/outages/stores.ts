import { createRequire } from "node:module"
import type { Adapter } from "@latchkey/core/adapters"
import { type NodeRedisClient, redisCache, redisSessions } from "@latchkey/redis"
import { postgres } from "@latchkey/sql/postgres"
import type { AppTask } from "./app.js"

/** Where sessions are: in PostgreSQL, there with copies in Redis, or only in Redis. */
export type StoreKind = "sql" | "redisCache" | "redisSessions"

/** Resolves the client from packages/redis. */
const packages = createRequire(new URL("../../../packages/redis/package.json", import.meta.url))

interface Client extends NodeRedisClient {
  on(event: "error", listener: () => void): unknown
  connect(): Promise<unknown>
}

/** The part of the package `redis` that is used here. */
interface RedisPackage {
  createClient(options: { readonly url: string; readonly disableOfflineQueue: boolean }): Client
}

export async function openStores({ postgres: url, redis, store }: AppTask): Promise<Adapter> {
  const database = postgres({ connectionString: url, connectionTimeoutMillis: 2000 })
  if (store === "sql") return database
  const { createClient } = packages("redis") as RedisPackage
  // Without a queue, a command fails at once while the client isn't connected.
  const client = createClient({ url: redis, disableOfflineQueue: true })
  // The client reports the outage here, and reconnects by itself.
  client.on("error", () => {})
  // Redis may be down while the process starts. Then this waits.
  await client.connect()
  return store === "redisCache" ? redisCache(database, client) : redisSessions(database, client)
}
