import type { AdapterSession, VerificationToken } from "@latchkey/core/adapters"
import type { Surroundings } from "../conformance/case.js"
import { expectFields, expectNull, fail } from "../conformance/check.js"
import { aUser, instant, tokenKey, unique } from "../conformance/fixtures.js"
import { defineOperation, expectAllOrNothing, expectSame, type Operation } from "./operation.js"

export const sessionOperations: readonly Operation[] = [
  defineOperation(
    { id: "loss.createSession", name: "a session is created completely or not at all", part: "basic" },
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, options) => {
      const session = aSession((await adapter.createUser(aUser(options))).id, options)
      const create = () => adapter.createSession(session)
      const isStored = async () => {
        const found = await adapter.getSessionAndUser(session.sessionToken)
        if (found !== null) expectFields("createSession stores all fields", found.session, session)
        return found !== null
      }
      return { operate: create, verify: (outcome) => expectAllOrNothing(outcome, isStored, create) }
    },
  ),
  defineOperation(
    { id: "loss.getSessionAndUser", name: "reading a session rejects or returns it, and never null", part: "basic" },
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, options) => {
      const session = aSession((await adapter.createUser(aUser(options))).id, options)
      await adapter.createSession(session)
      const read = async () => adapter.getSessionAndUser(session.sessionToken)
      const results: Awaited<ReturnType<typeof read>>[] = []
      return {
        operate: async () => void results.push(await read()),
        verify: async () => {
          for (const found of [...results, await read()])
            expectFields("A read that succeeds returns the session", found?.session, session)
        },
      }
    },
  ),
  defineOperation(
    { id: "loss.updateSession", name: "a session gets its new expiry, or keeps the old one", part: "basic" },
    ["createUser", "createSession", "getSessionAndUser", "updateSession"],
    async (adapter, options) => {
      const session = aSession((await adapter.createUser(aUser(options))).id, options)
      await adapter.createSession(session)
      const { sessionToken } = session
      const expires = instant(options, 2033)
      const update = () => adapter.updateSession({ sessionToken, expires })
      const isStored = async () => {
        const found = await adapter.getSessionAndUser(sessionToken)
        const changed = found?.session.expires.getTime() === expires.getTime()
        expectFields(
          "updateSession changes only the expiry",
          found?.session,
          changed ? { ...session, expires } : session,
        )
        return changed
      }
      return { operate: update, verify: (outcome) => expectAllOrNothing(outcome, isStored, update) }
    },
  ),
  defineOperation(
    { id: "loss.deleteSession", name: "a session is deleted, or continues", part: "basic" },
    ["createUser", "createSession", "getSessionAndUser", "deleteSession"],
    async (adapter, options) => {
      const session = aSession((await adapter.createUser(aUser(options))).id, options)
      await adapter.createSession(session)
      const remove = () => adapter.deleteSession(session.sessionToken)
      const isGone = async () => {
        const found = await adapter.getSessionAndUser(session.sessionToken)
        if (found !== null) expectFields("A session that isn't deleted is unchanged", found.session, session)
        return found === null
      }
      return { operate: remove, verify: (outcome) => expectAllOrNothing(outcome, isGone, remove) }
    },
  ),
  defineOperation(
    { id: "loss.deleteSessions", name: "all sessions of a user are deleted, or none", part: "deleteSessions" },
    ["createUser", "createSession", "getSessionAndUser", "deleteSessions"],
    async (adapter, options) => {
      const { id } = await adapter.createUser(aUser(options))
      const [first, second] = [aSession(id, options), aSession(id, options)]
      for (const session of [first, second]) await adapter.createSession(session)
      const remove = () => adapter.deleteSessions(id)
      const isGone = async () =>
        expectSame("deleteSessions deletes all sessions or none", {
          first: (await adapter.getSessionAndUser(first.sessionToken)) === null,
          second: (await adapter.getSessionAndUser(second.sessionToken)) === null,
        })
      return { operate: remove, verify: (outcome) => expectAllOrNothing(outcome, isGone, remove) }
    },
  ),
  defineOperation(
    { id: "loss.createVerificationToken", name: "a token is stored completely or not at all", part: "basic" },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, options) => {
      const token = aToken(options)
      const create = () => adapter.createVerificationToken(token)
      return {
        operate: create,
        verify: async (outcome) => {
          const used = await adapter.useVerificationToken(tokenKey(token))
          if (used === null && outcome.status === "fulfilled") fail("A call that succeeds stores its write", "no token")
          if (used === null) await create()
          const stored = used ?? (await adapter.useVerificationToken(tokenKey(token)))
          expectFields("createVerificationToken stores all fields", stored, token)
        },
      }
    },
  ),
  defineOperation(
    { id: "loss.useVerificationToken", name: "a token is consumed at most once", part: "basic" },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, options) => {
      const token = aToken(options)
      await adapter.createVerificationToken(token)
      const use = async () => adapter.useVerificationToken(tokenKey(token))
      const uses: Awaited<ReturnType<typeof use>>[] = []
      return {
        operate: async () => void uses.push(await use()),
        verify: async () => {
          uses.push(await use())
          expectNull("useVerificationToken after the next call", await use())
          const accepted = uses.filter((used) => used !== null)
          for (const used of accepted) expectFields("A use that succeeds returns the record", used, token)
          if (accepted.length > 1) fail("A token is accepted once", `${accepted.length} uses`)
        },
      }
    },
  ),
]

function aSession(userId: string, options: Surroundings): AdapterSession {
  return { sessionToken: unique(), userId, expires: instant(options) }
}

function aToken(options: Surroundings): VerificationToken {
  return { identifier: `ada.${unique()}@example.com`, token: unique(), expires: instant(options) }
}
