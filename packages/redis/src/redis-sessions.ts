import { anything, assertOptions, type EveryOption } from "@latchkey/core/options"
import type { Adapter, AdapterUser, SessionMethods } from "@latchkey/core/adapters"
import { entriesIn, type Entries } from "./cache/entries.js"
import { type UserCache, userCache } from "./cache/users.js"
import { type Commands, commandsOf, type RedisClient } from "./client.js"
import { assertAdapter, delegate } from "./delegate.js"
import { assertRange, lifetime, toMillis } from "./options.js"
import { layoutOf } from "./store/layout.js"
import { type Owners, removeAllSessions, sessionMethods } from "./store/sessions.js"
import { type Store, storeOf } from "./store/store.js"

/** Options of {@link redisSessions}. */
export interface RedisSessionsOptions {
  /** Prefix of all keys. Must differ for each app and database that share a Redis. @default "latchkey:" */
  readonly prefix?: string
  /**
   * How long a copy of a user is used, in seconds. Changes through this adapter are seen at once, and other changes in the
   * database after this time. With 0, each read of a session also reads the user from the database.
   *
   * @default 60
   */
  readonly ttlSeconds?: number
}

/**
 * Stores sessions in Redis only, and everything else in `adapter`. Sessions that are in the database aren't read.
 *
 * If Redis is unreachable, there are no sessions: reads and sign-ins fail. Configure it to persist its data and to evict nothing
 * (`maxmemory-policy noeviction`).
 *
 * @throws TypeError if `client` is no client of `ioredis` or `redis`, if `adapter` lacks `getUser`, or if there is no such option
 * @throws RangeError if `ttlSeconds` isn't a number in its range
 * @example
 * ```ts
 * import type { AuthConfig } from "@latchkey/core"
 * import { redisSessions } from "@latchkey/redis"
 * import { postgres } from "@latchkey/sql/postgres"
 * import { Redis } from "ioredis"
 *
 * const client = new Redis("redis://localhost", { maxRetriesPerRequest: 1, commandTimeout: 1000 })
 * const adapter = redisSessions(postgres(process.env["DATABASE_URL"] ?? ""), client)
 * export const config: AuthConfig = { adapter, providers: [] }
 * ```
 */
export function redisSessions<A extends Adapter>(
  adapter: A,
  client: RedisClient,
  options: RedisSessionsOptions = {},
): A & SessionMethods {
  assertOptions("redisSessions", options, {
    prefix: anything,
    ttlSeconds: anything,
  } satisfies EveryOption<RedisSessionsOptions>)
  const { prefix = "latchkey:", ttlSeconds = 60 } = options
  assertAdapter(adapter)
  const { getUser } = adapter
  if (getUser === undefined) throw new TypeError("The adapter has no getUser. Pass an adapter that stores users.")
  const commands = commandsOf(client)
  assertRange("ttlSeconds", ttlSeconds, { ...lifetime, zero: true })
  const entries = entriesIn(commands)
  const store = storeOf(commands, layoutOf({ baseKeyPrefix: prefix }))
  const partsOf = (find: GetUser, ttl: number): Parts => {
    const users = userCache({ entries, prefix, ttl, getUser: find })
    return { store, entries, users, sessions: sessionMethods(store, ownersOf(commands, users, prefix)) }
  }
  const parts = partsOf((id) => getUser.call(adapter, id), toMillis(ttlSeconds))
  return delegate(adapter, {
    ...parts.sessions,
    ...userMethods(adapter, parts),
    ...transactionMethod(adapter, parts, partsOf),
  })
}

type GetUser = NonNullable<Adapter["getUser"]>

interface Parts {
  readonly store: Store
  readonly entries: Entries
  readonly users: UserCache
  readonly sessions: SessionMethods
}

/** Users of another adapter. The epoch has a key of its own. */
function ownersOf({ get, run }: Commands, users: UserCache, prefix: string): Owners {
  const key = (userId: string) => `${prefix}epoch:${userId}`
  const read = async (userId: string) => Number((await get(key(userId))) ?? 0)
  return {
    requireEpoch: async (userId) => {
      const [user, epoch] = await Promise.all([users.find(userId), read(userId)])
      if (user === null) throw new Error("There is no user with this id. Create the user first.")
      return epoch
    },
    find: async (userId, epoch) => {
      const [user, current] = await Promise.all([users.find(userId), read(userId)])
      return current === epoch ? user : null
    },
    advanceEpoch: async (userId) => void (await run(increment, key(userId), [])),
  }
}

const increment = { text: `return redis.call("INCR", KEYS[1])` }

/** The methods of the adapter that change users, if it has them. */
function userMethods(
  adapter: Adapter,
  { store, entries, users }: Parts,
): Partial<Pick<Adapter, "updateUser" | "deleteUser">> {
  const { updateUser, deleteUser } = adapter
  return {
    ...(updateUser && {
      updateUser: async (changes) => {
        const mark = await entries.mark(users.key(changes.id), "update")
        const user: AdapterUser = await updateUser.call(adapter, changes)
        await entries.settle(users.key(changes.id), mark)
        return user
      },
    }),
    ...(deleteUser && {
      deleteUser: async (userId) => {
        await entries.mark(users.key(userId), "delete")
        const deleted = await deleteUser.call(adapter, userId)
        await entries.mark(users.key(userId), "delete")
        await removeAllSessions(store, userId)
        return deleted
      },
    }),
  }
}

/**
 * Redis isn't part of the transaction. So a session is created after the transaction is committed, and sessions that end
 * in a transaction stay ended if it fails.
 */
function transactionMethod(
  adapter: Adapter,
  parts: Parts,
  partsOf: (find: GetUser, ttl: number) => Parts,
): Partial<Pick<Adapter, "transaction">> {
  const transaction = adapter.transaction?.bind(adapter)
  if (transaction === undefined) return {}
  return {
    transaction: async (work) => {
      const created: Parameters<SessionMethods["createSession"]>[0][] = []
      const createSession = (session: (typeof created)[number]) => {
        created.push(session)
        return session
      }
      const result = await transaction((inside) => {
        // After a conflict, the transaction runs again.
        created.length = 0
        // The database may have one connection, which the transaction uses. What it reads isn't committed, so it isn't copied.
        const { sessions } = inside.getUser === undefined ? parts : partsOf(inside.getUser.bind(inside), 0)
        return work(delegate(inside, { ...sessions, ...userMethods(inside, uncommitted(parts)), createSession }))
      })
      for (const session of created) await parts.sessions.createSession(session)
      return result
    },
  }
}

/** An update isn't over before the transaction is committed, so its mark stays. */
function uncommitted(parts: Parts): Parts {
  return { ...parts, entries: { ...parts.entries, settle: async () => undefined } }
}
