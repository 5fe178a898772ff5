import type { Adapter } from "@latchkey/core/adapters"
import { UniqueViolation } from "../unique-violation.js"
import { copyIn, copyOut } from "./copy.js"
import type { Tables } from "./tables.js"
import { assertUser, rowsOfUser } from "./users.js"

type SessionMethods = Required<
  Pick<
    Adapter,
    | "createSession"
    | "getSessionAndUser"
    | "updateSession"
    | "deleteSession"
    | "describeSession"
    | "listSessions"
    | "deleteSessions"
  >
>

export function sessionMethods({ sessions, users }: Tables): SessionMethods {
  return {
    createSession: async (session) => {
      if (sessions.get(session.sessionToken)) throw new UniqueViolation("The sessionToken is taken. Generate another.")
      assertUser(users, session.userId)
      const row = copyIn(session)
      sessions.set(row.sessionToken, row)
      return copyOut(row)
    },
    getSessionAndUser: async (sessionToken) => {
      const session = sessions.get(sessionToken)
      const user = session && users.get(session.userId)
      return user ? { session: copyOut(session), user: copyOut(user) } : null
    },
    updateSession: async (changes) => {
      const before = sessions.get(changes.sessionToken)
      if (!before) return null
      const after = { ...before, ...copyIn(changes) }
      sessions.set(after.sessionToken, after)
      return copyOut(after)
    },
    deleteSession: async (sessionToken) => {
      const row = sessions.get(sessionToken)
      sessions.delete(sessionToken)
      return row ? copyOut(row) : null
    },
    describeSession: async (sessionToken, details) => {
      const before = sessions.get(sessionToken)
      if (!before) return
      sessions.set(sessionToken, { ...before, details: { ...before.details, ...copyIn(details) } })
    },
    listSessions: async (userId, limit) =>
      rowsOfUser(sessions, userId)
        .toSorted((one, other) => other.expires.getTime() - one.expires.getTime())
        .slice(0, limit)
        .map(copyOut),
    deleteSessions: async (userId) => {
      for (const row of rowsOfUser(sessions, userId)) sessions.delete(row.sessionToken)
    },
  }
}
