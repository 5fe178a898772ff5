import type { RateLimitStore } from "@latchkey/core/types"

/** The part of an `ioredis` client that this package uses. */
export interface IoredisClient {
  eval(script: string, keys: number, key: string, ...values: string[]): Promise<unknown>
  /** Distinguishes this client from one of `redis`. */
  defineCommand(name: string, definition: { lua: string; numberOfKeys?: number }): void
}

/** The part of a `redis` client (node-redis) that this package uses. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** A client of `ioredis` or `redis`. */
export type RedisClient = IoredisClient | NodeRedisClient

/** Options of {@link redisRateLimit}. */
export interface RedisRateLimitOptions {
  /** Prefix of all keys. @default "latchkey:limit:" */
  readonly prefix?: string
}

/**
 * Counts sign-in attempts in Redis, across all processes. Each attempt runs one script, so parallel attempts can't exceed the
 * limit. A key expires at the end of its window. Connect the client yourself, and configure it to fail fast if it loses the
 * connection.
 *
 * @example
 * ```ts
 * import { redisRateLimit } from "@latchkey/rate-limit"
 * import type { AuthConfig } from "@latchkey/core"
 * import { Redis } from "ioredis"
 *
 * const client = new Redis("redis://localhost", { maxRetriesPerRequest: 1 })
 * export const config: AuthConfig = { rateLimit: { store: redisRateLimit(client) }, providers: [] }
 * ```
 */
export function redisRateLimit(client: RedisClient, options: RedisRateLimitOptions = {}): Required<RateLimitStore> {
  const { prefix = "latchkey:limit:" } = options
  return {
    async take(key, { points, seconds }) {
      const answer = await run(client, take, prefix + key, [String(points), String(seconds * 1000)])
      const [allowed, milliseconds] = Array.isArray(answer) ? answer.map(Number) : []
      if (allowed === undefined || milliseconds === undefined) {
        throw new Error("Redis returned an unexpected result. Check that the client is connected to a Redis server.")
      }
      return { allowed: allowed === 1, retryAfter: milliseconds / 1000 }
    },
    async giveBack(key) {
      await run(client, giveBack, prefix + key, [])
    },
  }
}

/** A key without an expiry would block a user forever, so it counts as expired. */
const take = `
local left = redis.call("PTTL", KEYS[1])
if left <= 0 then
  redis.call("SET", KEYS[1], 1, "PX", ARGV[2])
  return {1, tonumber(ARGV[2])}
end
if tonumber(redis.call("GET", KEYS[1])) >= tonumber(ARGV[1]) then return {0, left} end
redis.call("INCR", KEYS[1])
return {1, left}`

const giveBack = `
if tonumber(redis.call("GET", KEYS[1]) or 0) > 0 then redis.call("DECR", KEYS[1]) end
return 0`

function run(client: RedisClient, script: string, key: string, values: string[]): Promise<unknown> {
  return "defineCommand" in client
    ? client.eval(script, 1, key, ...values)
    : client.eval(script, { keys: [key], arguments: values })
}
