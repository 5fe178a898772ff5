import { type SessionMethods, type TokenMethods, UniqueViolation } from "@latchkey/core/adapters"
import { type Tables, copyIn, copyOut, pair } from "./tables.js"
import { assertUser, rowsOfUser } from "./users.js"

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

export function tokenMethods({ tokens }: Tables): TokenMethods {
  return {
    createVerificationToken: async (token) => {
      const key = pair(token.identifier, token.token)
      if (tokens.get(key)) throw new UniqueViolation("The token already exists for this identifier. Generate another.")
      const row = copyIn(token)
      tokens.set(key, row)
      return copyOut(row)
    },
    useVerificationToken: async ({ identifier, token }) => {
      const key = pair(identifier, token)
      const row = tokens.get(key)
      // There is no `await` between reading and deleting, so parallel calls can't both read the token.
      tokens.delete(key)
      return row ? copyOut(row) : null
    },
    getVerificationToken: async ({ identifier, token }) => {
      const row = tokens.get(pair(identifier, token))
      return row ? copyOut(row) : null
    },
    deleteVerificationTokens: async (identifier) => {
      const rows = Array.from(tokens.values()).filter((row) => row.identifier === identifier)
      for (const row of rows) tokens.delete(pair(identifier, row.token))
    },
  }
}
