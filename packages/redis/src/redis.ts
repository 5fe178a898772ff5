import { anything, assertOptions, type EveryOption } from "@latchkey/core/options"
import type { Adapter, RecordStore } from "@latchkey/core/adapters"
import type { RateLimitStore } from "@latchkey/core/types"
import { commandsOf, type RedisClient } from "./client.js"
import { recordStore } from "./records/record-store.js"
import { redisRateLimit } from "./rate-limits.js"
import { accountMethods } from "./store/accounts.js"
import { authenticatorMethods } from "./store/authenticators.js"
import { deleteUser } from "./store/delete-user.js"
import { layoutOf, type RedisLayoutOptions } from "./store/layout.js"
import { ownersIn } from "./store/owners.js"
import { sessionMethods } from "./store/sessions.js"
import { storeOf } from "./store/store.js"
import { tokenMethods } from "./store/tokens.js"
import { userMethods } from "./store/users.js"

/** Options of {@link redis}. */
export interface RedisOptions extends RedisLayoutOptions {}

const optionNames: EveryOption<RedisOptions> = {
  baseKeyPrefix: anything,
  accountKeyPrefix: anything,
  accountByUserIdPrefix: anything,
  emailKeyPrefix: anything,
  sessionKeyPrefix: anything,
  sessionByUserIdKeyPrefix: anything,
  userKeyPrefix: anything,
  verificationTokenKeyPrefix: anything,
}

/** An adapter that stores everything in Redis. */
export interface RedisAdapter extends Required<Omit<Adapter, "transaction">> {
  /** Counts sign-in attempts for all processes. The default store of the rate limits. */
  readonly rateLimits: Required<RateLimitStore>
  /** Where modules keep their data. The default for `records` of the configuration. */
  readonly records: RecordStore
}

/**
 * Stores users, accounts, sessions, tokens and passkeys in Redis 6.2 or newer, in Valkey, or in a Redis Cluster. It reads and
 * writes the keys of `@auth/upstash-redis-adapter`. Sessions and tokens expire by themselves. A taken email, account, token or passkey
 * throws an error with the `code` `"LATCHKEY_UNIQUE"`.
 *
 * Connect the client yourself, and configure it to fail fast if it loses the connection. Configure Redis to persist its data and
 * to evict nothing (`maxmemory-policy noeviction`).
 *
 * @throws TypeError if `client` is no client of `ioredis` or `redis`, or if there is no such option
 * @example
 * ```ts
 * import type { AuthConfig } from "@latchkey/core"
 * import { redis } from "@latchkey/redis"
 * import { Redis } from "ioredis"
 *
 * const client = new Redis("redis://localhost", { maxRetriesPerRequest: 1, commandTimeout: 1000 })
 * export const config: AuthConfig = { adapter: redis(client), providers: [] }
 * ```
 */
export function redis(client: RedisClient, options: RedisOptions = {}): RedisAdapter {
  assertOptions("redis", options, optionNames)
  const commands = commandsOf(client)
  const store = storeOf(commands, layoutOf(options))
  const records = recordStore(commands, store.layout.records)
  return {
    ...userMethods(store),
    ...accountMethods(store),
    ...sessionMethods(store, ownersIn(store)),
    ...tokenMethods(store),
    ...authenticatorMethods(store),
    deleteUser: (userId) => deleteUser(store, records, userId),
    records,
    rateLimits: redisRateLimit(client, { prefix: store.layout.rateLimits }),
  }
}
