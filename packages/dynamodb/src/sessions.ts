import type { AdapterSession, SessionMethods } from "@latchkey/core/adapters"
import { attributesOf, dateOf, detailsOf, fieldsOf, type Item, withDates } from "./codec.js"
import { assertStorable, isStorable, type Key, sessionKey, sessionPointer, userKey } from "./keys.js"
import { findInIndex, findOwned, type FoundOwned, insertOwned, type Owned, readOwned, removeOwned } from "./owned.js"
import { removeOwnedItems } from "./owned-items.js"
import { ownerOf } from "./pointers.js"
import { type Table, without } from "./table.js"
import { getUser } from "./users.js"

export function sessionMethods(table: Table): SessionMethods {
  return {
    createSession: async (session) => {
      await createSession(table, session)
      return session
    },
    getSessionAndUser: async (sessionToken) => {
      if (!isStorable(sessionToken)) return null
      const owned = sessionOwned(sessionToken)
      const owner = await ownerOf(table, owned.pointer)
      const read = owner === undefined ? undefined : await readBoth(table, owned, owned.keyFor(owner))
      if (read !== undefined) return read
      const indexed = await findInIndex(table, owned)
      return (indexed && (await readBoth(table, owned, indexed.key))) ?? null
    },
    updateSession: (changes) => updateSession(table, changes),
    deleteSession: async (sessionToken) => {
      const removed = isStorable(sessionToken) ? await removeOwned(table, sessionOwned(sessionToken)) : undefined
      return removed === undefined ? null : sessionOf(table, removed)
    },
    describeSession: async (sessionToken, details) => {
      const found = await findSession(table, sessionToken)
      const changes = attributesOf(details)
      if (found !== undefined && Object.keys(changes).length > 0) {
        await table.update(found.key, { set: {}, setIn: { details: changes } }, { exists: true })
      }
    },
    // The table has no index by expiry.
    listSessions: async (userId, limit) =>
      (await listItems(table, userId))
        .map(({ item }) => sessionOf(table, item))
        .toSorted((one, other) => other.expires.getTime() - one.expires.getTime())
        .slice(0, limit),
    deleteSessions: async (userId) => {
      await removeOwnedItems(table, await listItems(table, userId))
    },
  }
}

/** Reads a session and its user at the same time, because both are in one partition. */
async function readBoth(table: Table, owned: Owned, key: Key) {
  const id = key.pk.slice(userKey("").pk.length)
  const [found, user] = await Promise.all([readOwned(table, owned, key), getUser(table, id)])
  return found && user ? { session: sessionOf(table, found.item), user } : undefined
}

async function findSession(table: Table, sessionToken: string): Promise<FoundOwned | undefined> {
  return isStorable(sessionToken) ? findOwned(table, sessionOwned(sessionToken)) : undefined
}

function sessionOwned(sessionToken: string): Owned {
  return {
    pointer: sessionPointer(sessionToken),
    indexKey: { pk: `SESSION#${sessionToken}`, sk: `SESSION#${sessionToken}` },
    keyFor: (userId) => sessionKey(userId, sessionToken),
    matches: (item) => item["sessionToken"] === sessionToken,
  }
}

async function createSession(table: Table, session: AdapterSession): Promise<void> {
  const { sessionToken, userId } = session
  assertStorable(sessionToken)
  assertStorable(userId)
  const hasUser = async (id: string) => (await table.get(userKey(id))) !== undefined
  if (!(await hasUser(userId))) throw new Error("There is no user with this userId. Create the user first.")
  const item = { ...table.withoutKeys(attributesOf(session)), type: "SESSION" }
  const { expires } = attributesOf({ expires: session.expires })
  const taken = "The sessionToken is taken. Generate another."
  await insertOwned(table, { owned: sessionOwned(sessionToken), userId, item, attributes: { expires }, taken, hasUser })
}

/** Never writes a session that was deleted meanwhile. */
async function updateSession(
  table: Table,
  changes: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">,
): Promise<AdapterSession | null> {
  const found = await findSession(table, changes.sessionToken)
  if (found === undefined) return null
  if (changes.userId !== undefined && changes.userId !== found.userId) {
    throw new Error("A session can't move to another user. Delete it and create a new one.")
  }
  const set = without(table.withoutKeys(attributesOf(changes)), ["type", "details"])
  // TTL must not delete the pointer before the session.
  if ("expires" in set) {
    await table.update(sessionPointer(changes.sessionToken), { set: { expires: set["expires"] } }, { exists: true })
  }
  const after = await table.update(found.key, { set }, { exists: true })
  return after === undefined ? null : sessionOf(table, after)
}

async function listItems(table: Table, userId: string): ReturnType<Table["list"]> {
  return isStorable(userId) ? table.list(userKey(userId).pk, "SESSION#") : []
}

function sessionOf(table: Table, item: Item): AdapterSession {
  const { sessionToken, userId, expires } = item
  const fields = fieldsOf(without(table.withoutKeys(item), ["type"]))
  const row = { sessionToken: String(sessionToken), userId: String(userId), expires: dateOf(expires) }
  return { ...withDates(fields, []), ...detailsOf(item), ...row }
}
