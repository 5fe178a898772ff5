import type { Adapter } from "@latchkey/core/adapters"
import { changeText } from "./change-text.js"
import { type Delegate, hasText } from "./client.js"
import { ownerOf, sessionOf, split, userOf } from "./rows.js"
import type { Store } from "./store.js"
import { isStorable, mergeDetails } from "./values.js"

type SessionMethods = Required<
  Pick<
    Adapter,
    "createSession" | "getSessionAndUser" | "updateSession" | "deleteSession" | "listSessions" | "deleteSessions"
  >
> &
  Pick<Adapter, "describeSession">

export function sessionMethods(store: Store, sessions: Delegate): SessionMethods {
  return {
    createSession: async (session) => {
      const { details: _details, ...given } = { details: undefined, ...session }
      return sessionOf(await store.insert(sessions, split(sessions, given).fields))
    },
    getSessionAndUser: sessionReader(store, sessions),
    updateSession: async ({ details: _details, ...session }) => {
      const { sessionToken } = session
      const row = await store.update(sessions, { sessionToken }, split(sessions, session).fields)
      return row ? sessionOf(row) : null
    },
    deleteSession: async (sessionToken) => {
      const row = await store.take(sessions, { sessionToken })
      return row ? sessionOf(row) : null
    },
    listSessions: async (userId, limit) => {
      const options = limit === undefined ? {} : { orderBy: { expires: "desc" }, take: limit }
      return (await store.find(sessions, { userId }, options)).map(sessionOf)
    },
    deleteSessions: async (userId) => void (await store.remove(sessions, { userId })),
    ...(hasText(sessions, "details") && {
      describeSession: async (sessionToken, details) =>
        changeText(store, sessions, { sessionToken }, "details", (before) => mergeDetails(before, details)),
    }),
  }
}

/** One query if the client has the preview feature `relationJoins`, else two. */
function sessionReader(store: Store, sessions: Delegate): SessionMethods["getSessionAndUser"] {
  return async (sessionToken) => {
    if (typeof sessionToken !== "string" || !isStorable(sessionToken)) return null
    const query = { where: { sessionToken }, include: { user: true } }
    const row = await store.read(() => sessions.findFirst(query), null)
    const user = ownerOf(row)
    // MySQL may find a session whose token differs in case.
    if (row?.["sessionToken"] !== sessionToken || user === undefined) return null
    return { session: sessionOf(row), user: userOf(store.models.user, user) }
  }
}
