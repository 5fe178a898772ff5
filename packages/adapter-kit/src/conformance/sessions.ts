import type { AdapterSession } from "@latchkey/core/adapters"
import { type ConformanceCase, defineCase, type Surroundings } from "./case.js"
import { fail, expectFields, expectList, expectNull } from "./check.js"
import { aUser, instant, unique } from "./fixtures.js"

const part = "basic"

export const sessions: readonly ConformanceCase[] = [
  defineCase(
    { id: "sessions.create", name: "a created session is returned and found with its user", part },
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options, { emailVerified: instant(options, 2020) }))
      const session = aSession(user.id, options)
      expectFields("createSession returns what is stored", await adapter.createSession(session), session)
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expectFields("getSessionAndUser returns the session", found?.session, session)
      expectFields("getSessionAndUser returns the user", found?.user, user)
      const names = Object.keys(Object(found)).toSorted().join(", ")
      if (names !== "session, user") fail("getSessionAndUser returns only { session, user }", names)
    },
  ),
  defineCase(
    { id: "sessions.unknown", name: "an unknown session is null, also if the token differs only in case", part },
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, options) => {
      expectNull("getSessionAndUser of an unknown token", await adapter.getSessionAndUser(unique()))
      const user = await adapter.createUser(aUser(options))
      const { sessionToken } = await adapter.createSession({
        ...aSession(user.id, options),
        sessionToken: `a${unique()}`,
      })
      const uppercase = await adapter.getSessionAndUser(sessionToken.toUpperCase())
      expectNull("getSessionAndUser compares tokens exactly, so in uppercase it", uppercase)
    },
  ),
  defineCase(
    { id: "sessions.update", name: "an update changes the expiry of only that session", part },
    ["createUser", "createSession", "getSessionAndUser", "updateSession"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const [session, other] = [aSession(user.id, options), aSession(user.id, options)]
      await adapter.createSession(session)
      await adapter.createSession(other)
      const { sessionToken } = session
      const expires = instant(options, 2033)
      const updated = await adapter.updateSession({ sessionToken, expires })
      if (updated) expectFields("updateSession returns what is stored", updated, { ...session, expires })
      const found = await adapter.getSessionAndUser(sessionToken)
      expectFields("updateSession changes the expiry", found?.session, { ...session, expires })
      const untouched = await adapter.getSessionAndUser(other.sessionToken)
      expectFields("updateSession doesn't change other sessions", untouched?.session, other)
    },
  ),
  defineCase(
    { id: "sessions.delete", name: "deleting a session keeps the other sessions", part },
    ["createUser", "createSession", "getSessionAndUser", "deleteSession"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const [session, other] = [aSession(user.id, options), aSession(user.id, options)]
      await adapter.createSession(session)
      await adapter.createSession(other)
      await adapter.deleteSession(session.sessionToken)
      expectNull("getSessionAndUser of a deleted session", await adapter.getSessionAndUser(session.sessionToken))
      const kept = await adapter.getSessionAndUser(other.sessionToken)
      expectFields("deleteSession keeps other sessions", kept?.session, other)
    },
  ),
  defineCase(
    { id: "sessions.ended", name: "updating a deleted session doesn't restore it", part },
    ["createUser", "createSession", "getSessionAndUser", "updateSession", "deleteSession"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const session = aSession(user.id, options)
      await adapter.createSession(session)
      await adapter.deleteSession(session.sessionToken)
      // An adapter may reject this; the session just must not be written.
      await Promise.allSettled([(async () => adapter.updateSession(session))()])
      expectNull(
        "updateSession doesn't restore a deleted session, so getSessionAndUser",
        await adapter.getSessionAndUser(session.sessionToken),
      )
    },
  ),
  defineCase(
    { id: "sessions.expired", name: "an expired session is returned with its expiry, or not at all", part },
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const session = { ...aSession(user.id, options), expires: instant(options, 2001) }
      await adapter.createSession(session)
      const found = await adapter.getSessionAndUser(session.sessionToken)
      if (found) expectFields("getSessionAndUser returns the expiry of an expired session", found.session, session)
    },
  ),
  defineCase(
    { id: "listSessions", name: "only the sessions of the user are listed", part: "listSessions" },
    ["createUser", "createSession", "listSessions"],
    async (adapter, options) => {
      const [user, other] = [await adapter.createUser(aUser(options)), await adapter.createUser(aUser(options))]
      expectList("listSessions without sessions", await adapter.listSessions(user.id), "sessionToken", [])
      const sessions = [aSession(user.id, options), aSession(user.id, options)]
      for (const session of [...sessions, aSession(other.id, options)]) await adapter.createSession(session)
      const listed = await adapter.listSessions(user.id)
      expectList(
        "listSessions returns only the user's sessions",
        listed,
        "sessionToken",
        sessions.map((row) => row.sessionToken),
      )
      expectFields("listSessions returns sessions with all fields", listed[0], {
        userId: user.id,
        expires: instant(options),
      })
    },
  ),
  defineCase(
    {
      id: "listSessions.limit",
      name: "with a limit, only the sessions that expire last are listed",
      part: "listSessions",
    },
    ["createUser", "createSession", "listSessions"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const expiring = (days: number) => ({
        ...aSession(user.id, options),
        expires: new Date(instant(options).getTime() + days * 86_400_000),
      })
      const [first, last, second] = [expiring(1), expiring(3), expiring(2)]
      for (const session of [first, last, second]) await adapter.createSession(session)
      for (const [limit, latest] of [
        [2, [last, second]],
        [3, [first, last, second]],
        [100, [first, last, second]],
      ] as const) {
        expectList(
          `listSessions with the limit ${limit} returns the sessions that expire last`,
          await adapter.listSessions(user.id, limit),
          "sessionToken",
          latest.map((row) => row.sessionToken),
        )
      }
    },
  ),
  defineCase(
    { id: "deleteSessions", name: "only the sessions of the user are deleted", part: "deleteSessions" },
    ["createUser", "createSession", "deleteSessions", "getSessionAndUser"],
    async (adapter, options) => {
      const [user, other] = [await adapter.createUser(aUser(options)), await adapter.createUser(aUser(options))]
      const deleted = [aSession(user.id, options), aSession(user.id, options)]
      const kept = aSession(other.id, options)
      for (const session of [...deleted, kept]) await adapter.createSession(session)
      await adapter.deleteSessions(user.id)
      for (const { sessionToken } of deleted) {
        expectNull(
          "deleteSessions deletes all sessions of the user, so getSessionAndUser",
          await adapter.getSessionAndUser(sessionToken),
        )
      }
      const untouched = await adapter.getSessionAndUser(kept.sessionToken)
      expectFields("deleteSessions keeps other users' sessions", untouched?.session, kept)
    },
  ),
]

function aSession(userId: string, options: Surroundings): AdapterSession {
  return { sessionToken: unique(), userId, expires: instant(options) }
}
