import type { AdapterSession, SessionMethods } from "@latchkey/core/adapters"
import type { Document } from "mongodb"
import { assertText, fieldsOf, fromId, isText, pathsOf, setOf, toId, without } from "./documents.js"
import { ofUser } from "./filters.js"
import { insertOwned } from "./owned.js"
import type { Collections } from "./collections.js"
import type { Store } from "./store.js"
import { requireUser, userOf } from "./users.js"

const options = { returnDocument: "after", includeResultMetadata: false } as const

export function sessionMethods(store: Store): SessionMethods {
  return {
    createSession: (session) => store.write(async (collections) => createSession(collections, session)),
    getSessionAndUser: async (sessionToken) =>
      isText(sessionToken) ? store.read(async (collections) => getSessionAndUser(collections, sessionToken)) : null,
    updateSession: async ({ sessionToken, ...changes }) => {
      if (!isText(sessionToken)) return null
      const { userId } = changes
      const fields = {
        ...without(fieldsOf(changes), "_id", "id"),
        ...(userId !== undefined && { userId: toId(userId) }),
      }
      return store.read(async ({ sessions }) => {
        const update = setOf({ ...fields, sessionToken })
        return sessionOrNull(await sessions.findOneAndUpdate({ sessionToken }, update, options))
      })
    },
    deleteSession: async (sessionToken) =>
      isText(sessionToken)
        ? store.read(async ({ sessions }) => sessionOrNull(await sessions.findOneAndDelete({ sessionToken }, options)))
        : null,
    describeSession: async (sessionToken, details) => {
      const fields = pathsOf("details", fieldsOf(details))
      if (!isText(sessionToken) || Object.keys(fields).length === 0) return
      await store.read(async ({ sessions }) => sessions.findOneAndUpdate({ sessionToken }, { $set: fields }, options))
    },
    listSessions: async (userId, limit = 0) =>
      isText(userId)
        ? store.read(async ({ sessions }) => {
            // 0: all of them.
            const found = sessions.find(ofUser(userId)).sort({ expires: -1 }).limit(limit)
            return (await found.toArray()).map(sessionOf)
          })
        : [],
    deleteSessions: async (userId) => {
      if (isText(userId)) await store.read(async ({ sessions }) => sessions.deleteMany(ofUser(userId)))
    },
  }
}

async function createSession(collections: Collections, session: AdapterSession): Promise<AdapterSession> {
  const { sessionToken, userId } = session
  assertText(sessionToken)
  await requireUser(collections, userId)
  await insertOwned(collections, {
    collection: collections.sessions,
    key: { sessionToken },
    document: { ...without(fieldsOf(session), "_id", "id"), userId: toId(userId) },
    taken: "The sessionToken is taken. Generate another.",
  })
  return session
}

/** One query, because every request with a session runs it. */
async function getSessionAndUser({ sessions, users }: Collections, sessionToken: string) {
  const from = users.collectionName
  const [found] = await sessions
    .aggregate([
      { $match: { sessionToken: { $eq: sessionToken } } },
      { $limit: 1 },
      { $lookup: { from, localField: "userId", foreignField: "_id", as: "latchkeyUser" } },
    ])
    .toArray()
  const user: unknown = found?.["latchkeyUser"]?.[0]
  if (found === undefined || typeof user !== "object" || user === null) return null
  return { session: sessionOf(without(found, "latchkeyUser")), user: userOf(user) }
}

function sessionOf(document: Document): AdapterSession {
  const { sessionToken, userId, expires } = document
  const row = { sessionToken: String(sessionToken), userId: fromId(userId), expires: new Date(expires) }
  return { ...without(document, "_id"), ...row }
}

function sessionOrNull(document: Document | null): AdapterSession | null {
  return document === null ? null : sessionOf(document)
}
