import { type AdapterSession, type AdapterUser, type SessionMethods, UniqueViolation } from "@latchkey/core/adapters"
import { dateField, detailsOf, epochField, epochOf, given, publicFields, textField, withDetails } from "./codec.js"
import { endOf, lifetimeUntil } from "./expiry.js"
import { asStored, type Stored } from "./records.js"
import type { Store } from "./store.js"

/** The users of the sessions: in Redis too, or in another adapter. */
export interface Owners {
  /** How many times all sessions of the user were ended. Rejects if there is no such user. */
  requireEpoch(userId: string): Promise<number>
  /** `null` if there is no such user, or if all sessions of the user were ended after this epoch. */
  find(userId: string, epoch: number): Promise<AdapterUser | null>
  /** Ends all sessions of a user in one atomic step. */
  advanceEpoch(userId: string): Promise<void>
}

export function sessionMethods(store: Store, owners: Owners): SessionMethods {
  return {
    createSession: (session) => createSession(store, owners, session),
    getSessionAndUser: async (token) => {
      const stored = await readSession(store, token)
      if (stored === null) return null
      const user = await owners.find(textField(stored, "userId"), epochOf(stored))
      return user === null ? null : { session: sessionOf(stored), user }
    },
    updateSession: (changes) => updateSession(store, changes),
    deleteSession: (token) => deleteSession(store, token),
    describeSession: async (token, details) => {
      await changeSession(store, token, (stored) => withDetails(stored, details))
    },
    listSessions: async (userId, limit) => {
      const sessions = await sessionsOf(store, userId, limit)
      const epochs = [...new Set(sessions.map(epochOf))]
      const users = await Promise.all(epochs.map(async (epoch) => owners.find(userId, epoch)))
      const live = epochs.filter((_, position) => users[position] !== null)
      return sessions
        .filter((stored) => live.includes(epochOf(stored)))
        .map(sessionOf)
        .toSorted((one, other) => other.expires.getTime() - one.expires.getTime())
        .slice(0, limit)
    },
    deleteSessions: async (userId) => {
      // A session that's created from now on is listed too late to be deleted here, and belongs to the new epoch.
      const listed = await listTokens(store, userId)
      await owners.advanceEpoch(userId)
      await removeSessions(store, userId, listed)
    },
  }
}

/** Deletes the sessions of a user who was deleted. */
export async function removeAllSessions(store: Store, userId: string): Promise<void> {
  await removeSessions(store, userId, await listTokens(store, userId))
}

async function createSession(
  store: Store,
  owners: Owners,
  session: Parameters<SessionMethods["createSession"]>[0],
): Promise<AdapterSession> {
  const { records, indexes, layout } = store
  const { sessionToken, userId, expires } = session
  const end = endOf(expires)
  const epoch = await owners.requireEpoch(userId)
  const text = JSON.stringify({ ...session, ...(epoch > 0 && { [epochField]: epoch }) })
  // The index comes first, so that a session that can be read can also be listed.
  await indexes.add(layout.index("sessions", userId), sessionToken, end)
  if (!(await records.insert(layout.session(sessionToken), text, lifetimeUntil(end)))) {
    throw new UniqueViolation("The sessionToken is taken. Generate another.")
  }
  await records.put(layout.latestSession(userId), layout.session(sessionToken), lifetimeUntil(end))
  return session
}

async function updateSession(
  store: Store,
  changes: Parameters<SessionMethods["updateSession"]>[0],
): Promise<AdapterSession | null> {
  const { sessionToken, expires } = changes
  const before = await readSession(store, sessionToken)
  if (before === null) return null
  if (expires === undefined)
    return changeSession(store, sessionToken, ({ fields }) => ({ ...fields, ...given(changes) }))
  const end = endOf(expires)
  // The index must not forget the session before it ends.
  await store.indexes.add(
    store.layout.index("sessions", changes.userId ?? textField(before, "userId")),
    sessionToken,
    end,
  )
  return changeSession(store, sessionToken, ({ fields }) => ({ ...fields, ...given(changes) }), lifetimeUntil(end))
}

/** Repeats a change until no other process changed the session in between. A session that ended stays ended. */
async function changeSession(
  { records, layout }: Store,
  token: string,
  change: (stored: Stored) => Readonly<Record<string, unknown>>,
  lifetime: number | "unchanged" = "unchanged",
): Promise<AdapterSession | null> {
  const key = layout.session(token)
  for (;;) {
    const stored = await readSession({ records, layout }, token)
    if (stored === null) return null
    const fields = change(stored)
    const to = JSON.stringify(fields)
    if (await records.replace(key, { from: stored.text, to, lifetime })) return sessionOf(asStored(to))
  }
}

async function deleteSession(store: Store, token: string): Promise<AdapterSession | null> {
  const { records, indexes, layout } = store
  for (;;) {
    const stored = await readSession(store, token)
    if (stored === null) return null
    if (!(await records.remove(layout.session(token), stored.text))) continue
    const userId = textField(stored, "userId")
    await indexes.drop(layout.index("sessions", userId), [token])
    await records.remove(layout.latestSession(userId), layout.session(token))
    return sessionOf(stored)
  }
}

async function removeSessions(store: Store, userId: string, tokens: readonly string[]): Promise<void> {
  const { records, indexes, layout } = store
  const remove = async (token: string): Promise<void> => {
    const stored = await readSession(store, token)
    if (stored === null || textField(stored, "userId") !== userId) return
    // Not removed if it changed just now: it's dead anyway, and expires.
    await records.remove(layout.session(token), stored.text)
  }
  await Promise.all(tokens.map(remove))
  await indexes.drop(layout.index("sessions", userId), tokens)
}

async function sessionsOf(store: Store, userId: string, limit?: number): Promise<readonly Stored[]> {
  const tokens = await listTokens(store, userId, limit)
  const found = await Promise.all(tokens.map(async (token) => readSession(store, token)))
  return found.filter((stored) => stored !== null).filter((stored) => textField(stored, "userId") === userId)
}

/** With the latest session, which may be from `@auth/upstash-redis-adapter` and in no index. */
async function listTokens(
  { records, indexes, layout }: Store,
  userId: string,
  limit?: number,
): Promise<readonly string[]> {
  const [listed, latest] = await Promise.all([
    indexes.list(layout.index("sessions", userId), limit),
    records.readText(layout.latestSession(userId)),
  ])
  const former = latest?.startsWith(layout.sessionPrefix) ? [latest.slice(layout.sessionPrefix.length)] : []
  return [...new Set([...listed, ...former])]
}

async function readSession(
  { records, layout }: Pick<Store, "records" | "layout">,
  token: string,
): Promise<Stored | null> {
  const stored = await records.read(layout.session(token))
  return stored !== null && stored.fields["sessionToken"] === token ? stored : null
}

function sessionOf(stored: Stored): AdapterSession {
  const [sessionToken, userId] = [textField(stored, "sessionToken"), textField(stored, "userId")]
  return { ...publicFields(stored), sessionToken, userId, expires: dateField(stored, "expires"), ...detailsOf(stored) }
}
