import type { RateLimitStore } from "@latchkey/core/types"

/** A client of `ioredis`, as far as it is used here. */
export interface IoredisClient {
  eval(script: string, keys: number, key: string, ...values: string[]): Promise<unknown>
  /** Tells this client from one of `redis`. */
  defineCommand(name: string, definition: { lua: string; numberOfKeys?: number }): void
}

/** A client of `redis` (node-redis), as far as it is used here. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

export type RedisClient = IoredisClient | NodeRedisClient

export interface RedisRateLimitOptions {
  /** Put before every key. Default: `"latchkey:limit:"`. */
  readonly prefix?: string
}

/**
 * Counts attempts in Redis, for all processes together: one script for each attempt, so that of many in parallel no more
 * get through than the limit says. A key goes when its window ends. Your client is used as it is: connect it before, and
 * let it fail fast when it has lost the server.
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
      if (allowed === undefined || milliseconds === undefined)
        throw new Error("Redis answered something else than the script does: check what answers at its address")
      return { allowed: allowed === 1, retryAfter: milliseconds / 1000 }
    },
    async giveBack(key) {
      await run(client, giveBack, prefix + key, [])
    },
  }
}

/** A key without an end (`PERSIST` by hand) would lock out for good: it counts as ended. */
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
