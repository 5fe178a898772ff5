import { anything, assertOptions, type EveryOption } from "@latchkey/core/options"
import type { Adapter } from "@latchkey/core/adapters"
import { createBreaker } from "./cache/breaker.js"
import { entriesIn } from "./cache/entries.js"
import { keysUnder } from "./cache/keys.js"
import type { RedisCacheOptions } from "./cache/options.js"
import { type Cache, sessionReader } from "./cache/reader.js"
import { unknownTokens } from "./cache/unknown.js"
import { deletionMethods, updateMethods } from "./cache/writer.js"
import { commandsOf, type RedisClient } from "./client.js"
import { assertAdapter, delegate } from "./delegate.js"
import { assertRange, lifetime, timeout, toMillis } from "./options.js"

const optionNames: EveryOption<RedisCacheOptions> = {
  prefix: anything,
  ttlSeconds: anything,
  unknownTtlSeconds: anything,
  timeoutMillis: anything,
  retryMillis: anything,
  onError: anything,
}

/**
 * Keeps copies of the sessions of `adapter` and of their users in Redis, so that most requests don't need the database. The
 * database has the truth, and Redis may lose everything.
 *
 * - A session that is deleted through this adapter is gone in every process as soon as the call resolves. If Redis is unreachable,
 *   `deleteSession`, `deleteSessions` and `deleteUser` reject and delete nothing.
 * - Otherwise, an outage of Redis isn't noticed: sessions are read from the database.
 *
 * @throws TypeError if `client` is no client of `ioredis` or `redis`, if `adapter` lacks `getSessionAndUser`, or if there is no such option
 * @throws RangeError if an option isn't a number in its range
 * @example
 * ```ts
 * import type { AuthConfig } from "@latchkey/core"
 * import { redisCache } from "@latchkey/redis"
 * import { postgres } from "@latchkey/sql/postgres"
 * import { Redis } from "ioredis"
 *
 * const adapter = redisCache(postgres(process.env["DATABASE_URL"] ?? ""), new Redis("redis://localhost"))
 * export const config: AuthConfig = { adapter, providers: [] }
 * ```
 */
export function redisCache<A extends Adapter>(adapter: A, client: RedisClient, options: RedisCacheOptions = {}): A {
  assertOptions("redisCache", options, optionNames)
  assertAdapter(adapter)
  const { getSessionAndUser } = adapter
  if (getSessionAndUser === undefined) {
    throw new TypeError("The adapter has no getSessionAndUser. Pass an adapter that stores sessions.")
  }
  const cache = cacheOf(client, options)
  return delegate(adapter, {
    ...updateMethods(cache, adapter),
    ...deletionMethods(cache, adapter),
    ...transactionMethod(cache, adapter),
    getSessionAndUser: sessionReader(cache, (token) => getSessionAndUser.call(adapter, token)),
  })
}

function cacheOf(client: RedisClient, options: RedisCacheOptions): Cache {
  const { prefix = "latchkey:cache:", ttlSeconds = 60, unknownTtlSeconds = 10 } = options
  const { timeoutMillis = 500, retryMillis = 2000, onError = warn } = options
  assertRange("ttlSeconds", ttlSeconds, lifetime)
  assertRange("unknownTtlSeconds", unknownTtlSeconds, { ...lifetime, zero: true })
  assertRange("timeoutMillis", timeoutMillis, timeout)
  assertRange("retryMillis", retryMillis, { ...timeout, zero: true })
  const entries = entriesIn(commandsOf(client))
  return {
    entries,
    unknown: unknownTokens(entries, toMillis(unknownTtlSeconds)),
    breaker: createBreaker({ timeoutMillis, retryMillis, onError }),
    keys: keysUnder(prefix),
    ttl: toMillis(ttlSeconds),
  }
}

function warn(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  console.warn(`Redis is unreachable, so sessions are read from the database: ${reason}`)
}

/** An update isn't over before the transaction is committed, so its mark stays. Sessions are read as the transaction sees them. */
function transactionMethod(cache: Cache, adapter: Adapter): Pick<Adapter, "transaction"> {
  const transaction = adapter.transaction?.bind(adapter)
  if (transaction === undefined) return {}
  const uncommitted = { ...cache, entries: { ...cache.entries, settle: async () => undefined } }
  return {
    transaction: (work) =>
      transaction((inside) =>
        work(delegate(inside, { ...updateMethods(uncommitted, inside), ...deletionMethods(uncommitted, inside) })),
      ),
  }
}
