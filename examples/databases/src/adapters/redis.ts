import type { Adapter } from "@latchkey/core/adapters"
import { redis } from "@latchkey/redis"
import { Redis } from "ioredis"

/** `redis://user:password@host:6379` */
export const open = (url: URL): Adapter => redis(connect(url.href))

/** Fails fast when Redis is down, so that a request doesn't wait for it. */
export function connect(url: string): Redis {
  const client = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: 1000 })
  client.on("error", (error) => console.error(`Redis: ${error.message}`))
  return client
}
