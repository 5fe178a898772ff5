import type { Adapter, AdapterSession } from "@latchkey/core/adapters"
import type { SqlAdapter } from "./adapter.js"
import type { Finding } from "./check.js"
import { RecentChanges } from "./recent-changes.js"

type Reader = Pick<SqlAdapter, "getSessionAndUser" | "close">
type Read = SqlAdapter["getSessionAndUser"]

/**
 * Reads sessions from a replica, and everything else from the primary. The primary is asked too if the replica doesn't have the
 * session, because the user may have just signed in, or if the session has expired there, because it may have been extended. What
 * this adapter has changed is read from the primary alone, because a session that has ended must not be valid again.
 */
export function withReplica(primary: SqlAdapter, replica: Reader): SqlAdapter {
  const readReplica = skippingFailures((token) => replica.getSessionAndUser(token))
  const changes = new RecentChanges(replicationMs, maxChanges)
  return {
    ...noting(changes, primary),
    transaction: (work) => primary.transaction((inside) => work(noting(changes, inside))),
    getSessionAndUser: async (token) => {
      const found = changes.has(sessionKey(token)) ? null : await readReplica(token)
      return found && isCurrent(changes, found.session) ? found : primary.getSessionAndUser(token)
    },
    check: async () => [...(await primary.check()), ...(await findingsOf(replica))],
    close: async () => {
      await Promise.all([primary.close(), replica.close()])
    },
  }
}

/** A replica that lags behind by more than this needs attention. */
const replicationMs = 5 * 60_000
const maxChanges = 10_000

/** Looks at the changes again, because the session may have ended while the replica was read. */
function isCurrent(changes: RecentChanges, { sessionToken, userId, expires }: AdapterSession): boolean {
  if (changes.has(sessionKey(sessionToken)) || changes.has(userKey(userId))) return false
  return expires.getTime() > Date.now()
}

const sessionKey = (token: unknown) => `session ${String(token)}`
/** Tables of published adapters have ids that are numbers. */
const userKey = (id: unknown) => `user ${String(id)}`

/** The methods that change a session or its user, with what they change. */
const changedBy: Partial<Record<keyof Adapter, (argument: unknown) => string>> = {
  updateSession: (session) => sessionKey(Object(session).sessionToken),
  deleteSession: sessionKey,
  describeSession: sessionKey,
  deleteSessions: userKey,
  updateUser: (user) => userKey(Object(user).id),
  deleteUser: userKey,
}

/** Notes changes before they are made, because a call can fail although its change is stored. */
function noting<Noted extends Adapter>(changes: RecentChanges, adapter: Noted): Noted {
  const noted: Record<string, unknown> = {}
  for (const [name, keyOf] of Object.entries(changedBy)) {
    const method: unknown = Reflect.get(adapter, name)
    if (typeof method !== "function") continue
    noted[name] = (...args: unknown[]) => {
      changes.add(keyOf(args[0]))
      return Reflect.apply(method, adapter, args)
    }
  }
  return { ...adapter, ...noted }
}

/** After a failure, the replica isn't asked for a while. Otherwise each request would wait until its connection times out. */
function skippingFailures(read: Read): Read {
  let skipUntil = 0
  return async (token) => {
    if (performance.now() < skipUntil) return null
    try {
      return await read(token)
    } catch {
      // The primary answers instead. `check()` reports a replica that fails.
      skipUntil = performance.now() + pauseMs
      return null
    }
  }
}

const pauseMs = 5000

async function findingsOf(replica: Reader): Promise<readonly Finding[]> {
  try {
    await replica.getSessionAndUser("none")
    return []
  } catch (error) {
    const problem = `The replica can't be read: ${error instanceof Error ? error.message : String(error)}`
    return [
      { level: "warning", problem, fix: "Check that it runs and has the tables. Until then, the primary is read." },
    ]
  }
}
