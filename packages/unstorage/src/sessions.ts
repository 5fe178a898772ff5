import type { AdapterSession, SessionMethods } from "@latchkey/core/adapters"
import { fieldsOf, given, mergeDetails, sessionOf } from "./rows.js"
import { type Found, findRow, findUser, hintKey, insert, requirePlace, requireUser, type Store } from "./store.js"

export function sessionMethods(store: Store): SessionMethods {
  return {
    createSession: (session) =>
      store.lock([`user ${session.userId}`], () =>
        store.lock([lockName(session.sessionToken)], () => createSession(store, session)),
      ),
    getSessionAndUser: async (sessionToken) => {
      const { row: session } = await findSession(store, sessionToken)
      const user = session && (await findUser(store, session.userId)).row
      return user ? { session, user } : null
    },
    updateSession: (changes) => change(store, changes.sessionToken, () => given(changes)),
    deleteSession: async (sessionToken) => (await removeSession(store, sessionToken)) ?? null,
    describeSession: (sessionToken, details) =>
      change(store, sessionToken, (session) => ({ details: mergeDetails(session.details, details) })),
    listSessions: async (userId, limit) =>
      (await listSessions(store, userId))
        .toSorted((one, other) => other.expires.getTime() - one.expires.getTime())
        .slice(0, limit),
    deleteSessions: async (userId) => {
      // No session of the user can start meanwhile.
      await store.lock([`user ${userId}`], async () => {
        for (const { sessionToken } of await listSessions(store, userId)) await removeSession(store, sessionToken)
      })
    },
  }
}

/** Reads all sessions, because `@auth/unstorage-adapter` doesn't store which ones belong to a user. */
export async function listSessions(store: Store, userId: string): Promise<AdapterSession[]> {
  const listed: AdapterSession[] = []
  for await (const session of allSessions(store)) if (session.userId === userId) listed.push(session)
  return listed
}

export async function* allSessions({ items, prefixes }: Store): AsyncIterable<AdapterSession> {
  for await (const { value } of items.scan(prefixes.sessionKeyPrefix)) {
    const { sessionToken } = fieldsOf(value) ?? {}
    const session = typeof sessionToken === "string" ? sessionOf(value, sessionToken) : undefined
    if (session !== undefined) yield session
  }
}

/** `isExpected` can keep a session that changed meanwhile. */
export function removeSession(
  store: Store,
  sessionToken: string,
  isExpected: (session: AdapterSession) => boolean = () => true,
): Promise<AdapterSession | undefined> {
  return store.lock([lockName(sessionToken)], async () => {
    const { key, row } = await findSession(store, sessionToken)
    if (key === undefined || row === undefined || !isExpected(row)) return undefined
    return (await store.items.remove(key)) ? row : undefined
  })
}

async function findSession(store: Store, sessionToken: string): Promise<Found<AdapterSession>> {
  return findRow(store, [store.prefixes.sessionKeyPrefix, sessionToken], (value) => sessionOf(value, sessionToken))
}

async function createSession(store: Store, session: AdapterSession): Promise<AdapterSession> {
  const { sessionKeyPrefix, sessionByUserIdKeyPrefix } = store.prefixes
  requirePlace(sessionKeyPrefix, session.sessionToken)
  await requireUser(store, session.userId)
  const found = await findSession(store, session.sessionToken)
  await insert(store, found.row ? {} : found, given(session), "The sessionToken is taken. Generate another.")
  const hint = hintKey(sessionByUserIdKeyPrefix, session.userId)
  if (hint !== undefined && found.key !== undefined) await store.items.write(hint, found.key)
  return session
}

/** Never writes a session that was deleted meanwhile. */
function change(
  store: Store,
  sessionToken: string,
  changesOf: (session: AdapterSession) => object,
): Promise<AdapterSession | null> {
  return store.lock([lockName(sessionToken)], async () => {
    const { key, row } = await findSession(store, sessionToken)
    if (key === undefined || row === undefined) return null
    const after = { ...row, ...changesOf(row) }
    return (await store.items.overwrite(key, after)) ? after : null
  })
}

function lockName(sessionToken: string): string {
  return `session ${sessionToken}`
}
