import type { AdapterAccount, AdapterSession, AdapterUser, VerificationToken } from "@latchkey/core/adapters"
import { type Capability, type ConformanceCase, promise, type Surroundings } from "./case.js"
import { fail, holds, isNull, lists, refuses } from "./check.js"
import { accountKey, anAccount, aUser, instant, tokenKey, unique } from "./fixtures.js"

/** The capabilities that are methods: an adapter that has one must have it tested. */
const optionalMethods = [
  "listAccounts",
  "updateAccount",
  "listSessions",
  "deleteSessions",
  "deleteVerificationTokens",
  "transaction",
] as const satisfies readonly Capability[]

export const capabilities: readonly ConformanceCase[] = [
  promise(
    { id: "listAccounts", name: "a user's accounts are listed, and nobody else's", part: "listAccounts" },
    ["createUser", "linkAccount", "listAccounts"],
    async (adapter, around) => {
      const [user, other] = [await adapter.createUser(aUser(around)), await adapter.createUser(aUser(around))]
      lists("listAccounts without accounts", await adapter.listAccounts(user.id), "provider", [])
      const accounts = [anAccount(user.id), anAccount(user.id, { provider: "other" })]
      for (const account of [...accounts, anAccount(other.id)]) await adapter.linkAccount(account)
      const listed = await adapter.listAccounts(user.id)
      lists(
        "listAccounts gives just that user's",
        listed,
        "providerAccountId",
        accounts.map((row) => row.providerAccountId),
      )
      holds(
        "listAccounts gives whole accounts",
        listed.find((row) => row.provider === "other"),
        accounts[1] ?? {},
      )
    },
  ),
  promise(
    { id: "updateAccount", name: "an account's tokens are replaced, its owner never", part: "updateAccount" },
    ["createUser", "linkAccount", "listAccounts", "updateAccount", "getUserByAccount"],
    async (adapter, around) => {
      const [user, other] = [await adapter.createUser(aUser(around)), await adapter.createUser(aUser(around))]
      const account = anAccount(user.id)
      await adapter.linkAccount(account)
      const fresh = { ...account, access_token: "fresh", expires_at: 1_950_000_000 }
      await adapter.updateAccount({ ...fresh, userId: other.id })
      const listed = ours(await adapter.listAccounts(user.id), account)
      holds("updateAccount replaces tokens and keeps the owner", listed, fresh)
      await adapter.updateAccount({ ...fresh, provider: "other" })
      const unknown = await adapter.getUserByAccount({ ...accountKey(account), provider: "other" })
      isNull("updateAccount of an account that is not linked links nothing: getUserByAccount gives", unknown)
    },
  ),
  promise(
    { id: "listSessions", name: "a user's sessions are listed, and nobody else's", part: "listSessions" },
    ["createUser", "createSession", "listSessions"],
    async (adapter, around) => {
      const [user, other] = [await adapter.createUser(aUser(around)), await adapter.createUser(aUser(around))]
      lists("listSessions without sessions", await adapter.listSessions(user.id), "sessionToken", [])
      const sessions = [aSession(user, around), aSession(user, around)]
      for (const session of [...sessions, aSession(other, around)]) await adapter.createSession(session)
      const listed = await adapter.listSessions(user.id)
      lists(
        "listSessions gives just that user's",
        listed,
        "sessionToken",
        sessions.map((row) => row.sessionToken),
      )
      holds("listSessions gives whole sessions", listed[0], { userId: user.id, expires: instant(around) })
    },
  ),
  promise(
    { id: "deleteSessions", name: "all sessions of a user end, and nobody else's", part: "deleteSessions" },
    ["createUser", "createSession", "deleteSessions", "getSessionAndUser"],
    async (adapter, around) => {
      const [user, other] = [await adapter.createUser(aUser(around)), await adapter.createUser(aUser(around))]
      const ended = [aSession(user, around), aSession(user, around)]
      const kept = aSession(other, around)
      for (const session of [...ended, kept]) await adapter.createSession(session)
      await adapter.deleteSessions(user.id)
      for (const { sessionToken } of ended) {
        isNull(
          "deleteSessions ends every session: getSessionAndUser gives",
          await adapter.getSessionAndUser(sessionToken),
        )
      }
      const untouched = await adapter.getSessionAndUser(kept.sessionToken)
      holds("deleteSessions leaves other users' sessions", untouched?.session, kept)
    },
  ),
  promise(
    {
      id: "deleteVerificationTokens",
      name: "all tokens of an identifier are forgotten, and no other's",
      part: "deleteVerificationTokens",
    },
    ["createVerificationToken", "useVerificationToken", "deleteVerificationTokens"],
    async (adapter, around) => {
      const identifier = `ada.${unique()}@example.com`
      const forgotten = [aToken(identifier, around), aToken(identifier, around)]
      const kept = aToken(identifier.toUpperCase(), around)
      for (const token of [...forgotten, kept]) await adapter.createVerificationToken(token)
      await adapter.deleteVerificationTokens(identifier)
      for (const token of forgotten) {
        isNull(
          "deleteVerificationTokens forgets every token: useVerificationToken gives",
          await adapter.useVerificationToken(tokenKey(token)),
        )
      }
      holds(
        "deleteVerificationTokens leaves other identifiers",
        await adapter.useVerificationToken(tokenKey(kept)),
        kept,
      )
    },
  ),
  promise(
    { id: "extraFields", name: "fields of profile() and account() come back", part: "extraFields" },
    ["createUser", "getUser", "updateUser", "linkAccount", "listAccounts"],
    async (adapter, around) => {
      const extra = { role: "admin", tags: ["a", "b"], address: { city: "London" }, score: 1.5, active: false }
      const user = await adapter.createUser({ ...aUser(around), ...extra })
      holds("createUser returns fields without a column", user, extra)
      holds("getUser returns fields without a column", await adapter.getUser(user.id), extra)
      const change = { id: user.id, role: "owner" }
      holds("updateUser changes fields without a column", await adapter.updateUser(change), { ...extra, ...change })
      holds("updateUser keeps the other fields", await adapter.getUser(user.id), { ...extra, ...change })
      const details = { refresh_token_expires_in: 86_400, authorization_details: [{ type: "payment", amount: 5 }] }
      const account = anAccount(user.id, details)
      await adapter.linkAccount(account)
      const listed = ours(await adapter.listAccounts(user.id), account)
      holds("linkAccount keeps fields without a column", listed, details)
    },
  ),
  promise(
    {
      id: "uniqueCode",
      name: "a taken address or account is refused with the code LATCHKEY_UNIQUE",
      part: "uniqueCode",
    },
    ["createUser", "updateUser", "linkAccount"],
    async (adapter, around) => {
      const [user, other] = [await adapter.createUser(aUser(around)), await adapter.createUser(aUser(around))]
      const account = anAccount(user.id)
      await adapter.linkAccount(account)
      const { email } = user
      const code = { code: "LATCHKEY_UNIQUE" }
      const clashes: [string, () => unknown][] = [
        ["createUser with a taken address", () => adapter.createUser(aUser(around, { email }))],
        ["updateUser to a taken address", () => adapter.updateUser({ id: other.id, email })],
        ["linkAccount of a linked account", () => adapter.linkAccount({ ...account, userId: other.id })],
      ]
      for (const [promised, clash] of clashes) holds(promised, await refuses(promised, clash), code)
    },
  ),
]

function ours(listed: readonly AdapterAccount[], { providerAccountId }: AdapterAccount): AdapterAccount | undefined {
  return listed.find((row) => row.providerAccountId === providerAccountId)
}

function aSession(user: AdapterUser, around: Surroundings): AdapterSession {
  return { sessionToken: unique(), userId: user.id, expires: instant(around) }
}

function aToken(identifier: string, around: Surroundings): VerificationToken {
  return { identifier, token: unique(), expires: instant(around) }
}

/** A capability that nobody asked to be tested is a promise that nobody checks. */
export function noUntested(tested: readonly Capability[]): ConformanceCase {
  const id = "capabilities"
  return promise({ id, name: "every optional method of the adapter is tested", part: "basic" }, [], async (adapter) => {
    const untested = optionalMethods.filter((name) => adapter[name] !== undefined && !tested.includes(name))
    if (untested.length > 0)
      fail("`capabilities` names every optional method of the adapter", `also ${untested.join(", ")}`)
  })
}
