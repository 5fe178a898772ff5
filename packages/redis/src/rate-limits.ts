import { anything, assertOptions, type EveryOption } from "@latchkey/core/options"
import type { RateLimitStore } from "@latchkey/core/types"
import { commandsOf, type RedisClient, unexpected } from "./client.js"
import { toMillis } from "./options.js"

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
 * @throws TypeError if `client` is no client of `ioredis` or `redis`, or if there is no such option
 * @example
 * ```ts
 * import { redisRateLimit } from "@latchkey/redis"
 * import type { AuthConfig } from "@latchkey/core"
 * import { Redis } from "ioredis"
 *
 * const client = new Redis("redis://localhost", { maxRetriesPerRequest: 1, commandTimeout: 1000 })
 * export const config: AuthConfig = { rateLimit: { store: redisRateLimit(client) }, providers: [] }
 * ```
 */
export function redisRateLimit(client: RedisClient, options: RedisRateLimitOptions = {}): Required<RateLimitStore> {
  assertOptions("redisRateLimit", options, { prefix: anything } satisfies EveryOption<RedisRateLimitOptions>)
  const { prefix = "latchkey:limit:" } = options
  const { run } = commandsOf(client)
  return {
    async take(key, { points, seconds }) {
      const answer = await run(take, prefix + key, [String(points), String(toMillis(seconds))])
      const [allowed, milliseconds] = Array.isArray(answer) ? answer.map(Number) : []
      if (allowed === undefined || milliseconds === undefined) throw unexpected()
      return { allowed: allowed === 1, retryAfter: milliseconds / 1000 }
    },
    async giveBack(key) {
      await run(giveBack, prefix + key, [])
    },
  }
}

/** A key without an expiry would block a user forever, so it counts as expired. */
const take = {
  text: `
local left = redis.call("PTTL", KEYS[1])
if left <= 0 then
  redis.call("SET", KEYS[1], 1, "PX", ARGV[2])
  return {1, tonumber(ARGV[2])}
end
if tonumber(redis.call("GET", KEYS[1])) >= tonumber(ARGV[1]) then return {0, left} end
redis.call("INCR", KEYS[1])
return {1, left}`,
}

const giveBack = {
  text: `
if tonumber(redis.call("GET", KEYS[1]) or 0) > 0 then redis.call("DECR", KEYS[1]) end
return 0`,
}
