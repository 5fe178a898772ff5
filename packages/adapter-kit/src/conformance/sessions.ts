import type { AdapterSession } from "@latchkey/core/adapters"
import { type ConformanceCase, promise, type Surroundings } from "./case.js"
import { fail, holds, isNull } from "./check.js"
import { aUser, instant, unique } from "./fixtures.js"

const part = "basic"

export const sessions: readonly ConformanceCase[] = [
  promise(
    { id: "sessions.create", name: "a session is returned and found with its user", part },
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around, { emailVerified: instant(around, 2020) }))
      const session = aSession(user.id, around)
      holds("createSession returns what is stored", await adapter.createSession(session), session)
      const found = await adapter.getSessionAndUser(session.sessionToken)
      holds("getSessionAndUser returns the session", found?.session, session)
      holds("getSessionAndUser returns the user", found?.user, user)
      const names = Object.keys(Object(found)).toSorted().join(", ")
      if (names !== "session, user") fail("getSessionAndUser returns { session, user } and nothing besides", names)
    },
  ),
  promise(
    { id: "sessions.unknown", name: "an unknown session is null, one with another case too", part },
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, around) => {
      isNull("getSessionAndUser of an unknown token gives", await adapter.getSessionAndUser(unique()))
      const user = await adapter.createUser(aUser(around))
      const { sessionToken } = await adapter.createSession({
        ...aSession(user.id, around),
        sessionToken: `a${unique()}`,
      })
      const shouted = await adapter.getSessionAndUser(sessionToken.toUpperCase())
      isNull("getSessionAndUser compares tokens exactly: the token in capitals gives", shouted)
    },
  ),
  promise(
    { id: "sessions.update", name: "an update moves the expiry of that session only", part },
    ["createUser", "createSession", "getSessionAndUser", "updateSession"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around))
      const [session, other] = [aSession(user.id, around), aSession(user.id, around)]
      await adapter.createSession(session)
      await adapter.createSession(other)
      const { sessionToken } = session
      const expires = instant(around, 2033)
      const updated = await adapter.updateSession({ sessionToken, expires })
      if (updated) holds("updateSession returns what is stored", updated, { ...session, expires })
      const found = await adapter.getSessionAndUser(sessionToken)
      holds("updateSession moves the expiry", found?.session, { ...session, expires })
      const untouched = await adapter.getSessionAndUser(other.sessionToken)
      holds("updateSession leaves other sessions alone", untouched?.session, other)
    },
  ),
  promise(
    { id: "sessions.delete", name: "a deleted session is gone, and no other is", part },
    ["createUser", "createSession", "getSessionAndUser", "deleteSession"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around))
      const [session, other] = [aSession(user.id, around), aSession(user.id, around)]
      await adapter.createSession(session)
      await adapter.createSession(other)
      await adapter.deleteSession(session.sessionToken)
      isNull("getSessionAndUser of a deleted session gives", await adapter.getSessionAndUser(session.sessionToken))
      const kept = await adapter.getSessionAndUser(other.sessionToken)
      holds("deleteSession leaves other sessions", kept?.session, other)
    },
  ),
  promise(
    { id: "sessions.ended", name: "updating a session that has ended does not bring it back", part },
    ["createUser", "createSession", "getSessionAndUser", "updateSession", "deleteSession"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around))
      const session = aSession(user.id, around)
      await adapter.createSession(session)
      await adapter.deleteSession(session.sessionToken)
      // Some stores answer with an error here: what counts is that nothing was written.
      await Promise.allSettled([(async () => adapter.updateSession(session))()])
      isNull(
        "A session that has ended stays ended: getSessionAndUser gives",
        await adapter.getSessionAndUser(session.sessionToken),
      )
    },
  ),
  promise(
    { id: "sessions.expired", name: "an expired session comes with its past expiry or not at all", part },
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around))
      const session = { ...aSession(user.id, around), expires: instant(around, 2001) }
      await adapter.createSession(session)
      const found = await adapter.getSessionAndUser(session.sessionToken)
      if (found) holds("getSessionAndUser tells when a session expired", found.session, session)
    },
  ),
]

function aSession(userId: string, around: Surroundings): AdapterSession {
  return { sessionToken: unique(), userId, expires: instant(around) }
}
