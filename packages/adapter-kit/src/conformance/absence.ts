import { type ConformanceCase, defineCase } from "./case.js"
import { expectFields, expectList, expectNull, expectRejection } from "./check.js"
import { accountKey, anAccount, anAuthenticator, aUser, deletionMethods, instant, unique } from "./fixtures.js"

const part = "basic"

/** Rows that aren't there, or not anymore. */
export const absence: readonly ConformanceCase[] = [
  defineCase(
    { id: "users.unknown-format", name: "an id in another format is unknown, not an error", part },
    ["getUser", "getUserByEmail", "getUserByAccount", "getSessionAndUser"],
    async (adapter) => {
      // A session token of another database, or an old one, has such an id.
      const ids = ["", "0", "-1", "9223372036854775808", "no id", "507f1f77bcf86cd799439011", crypto.randomUUID()]
      for (const id of ids) {
        expectNull(`getUser of the unknown id ${JSON.stringify(id)}`, await adapter.getUser(id))
        const account = { provider: "acme", providerAccountId: id && `${id}-${unique()}` }
        expectNull(`getUserByAccount of ${JSON.stringify(account)}`, await adapter.getUserByAccount(account))
      }
      for (const text of ["", "*", "%"]) {
        expectNull(`getUserByEmail of ${JSON.stringify(text)}`, await adapter.getUserByEmail(text))
        expectNull(`getSessionAndUser of ${JSON.stringify(text)}`, await adapter.getSessionAndUser(text))
      }
    },
  ),
  defineCase(
    { id: "users.delete-twice", name: "deleting a user twice doesn't matter", part },
    ["createUser", "deleteUser", "getUser"],
    async (adapter, options) => {
      const [user, kept] = [await adapter.createUser(aUser(options)), await adapter.createUser(aUser(options))]
      await adapter.deleteUser(user.id)
      await adapter.deleteUser(user.id)
      expectFields("deleteUser keeps other users", await adapter.getUser(kept.id), { id: kept.id })
    },
  ),
  defineCase(
    { id: "users.delete-reuse", name: "a deleted user's email and account can be used again, by a new user", part },
    deletionMethods,
    async (adapter, options) => {
      const former = await adapter.createUser(aUser(options))
      const account = anAccount(former.id)
      const session = { sessionToken: unique(), userId: former.id, expires: instant(options) }
      await adapter.linkAccount(account)
      await adapter.createSession(session)
      await adapter.deleteUser(former.id)
      const { id } = await adapter.createUser(aUser(options, { email: former.email }))
      expectNull(
        "getUserByAccount before the account is linked again",
        await adapter.getUserByAccount(accountKey(account)),
      )
      await adapter.linkAccount({ ...account, userId: id })
      expectFields("getUserByEmail returns the new user", await adapter.getUserByEmail(former.email), { id })
      expectFields("getUserByAccount returns the new user", await adapter.getUserByAccount(accountKey(account)), { id })
      expectNull(
        "getSessionAndUser of the former user's session",
        await adapter.getSessionAndUser(session.sessionToken),
      )
    },
  ),
  defineCase(
    {
      id: "accounts.unlink-twice",
      name: "unlinking an account twice doesn't matter, and another user can link it",
      part,
    },
    ["createUser", "linkAccount", "unlinkAccount", "getUserByAccount"],
    async (adapter, options) => {
      const [former, owner] = [await adapter.createUser(aUser(options)), await adapter.createUser(aUser(options))]
      const account = anAccount(former.id)
      await adapter.linkAccount(account)
      await adapter.unlinkAccount(accountKey(account))
      await adapter.unlinkAccount(accountKey(account))
      await adapter.linkAccount({ ...account, userId: owner.id })
      const found = await adapter.getUserByAccount(accountKey(account))
      expectFields("getUserByAccount returns the new owner", found, { id: owner.id })
    },
  ),
  defineCase(
    { id: "sessions.delete-twice", name: "deleting a session twice doesn't matter", part },
    ["createUser", "createSession", "deleteSession", "getSessionAndUser"],
    async (adapter, options) => {
      const { id: userId } = await adapter.createUser(aUser(options))
      const sessionToken = unique()
      await adapter.createSession({ sessionToken, userId, expires: instant(options) })
      await Promise.all([adapter.deleteSession(sessionToken), adapter.deleteSession(sessionToken)])
      await adapter.deleteSession(sessionToken)
      expectNull("getSessionAndUser of a deleted session", await adapter.getSessionAndUser(sessionToken))
    },
  ),
  defineCase(
    { id: "sessions.unique", name: "a taken session token is rejected, and its session stays", part },
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, options) => {
      const [owner, other] = [await adapter.createUser(aUser(options)), await adapter.createUser(aUser(options))]
      const session = { sessionToken: unique(), userId: owner.id, expires: instant(options) }
      await adapter.createSession(session)
      await expectRejection("createSession rejects a taken token", () =>
        adapter.createSession({ ...session, userId: other.id }),
      )
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expectFields("The session keeps its user", found?.session, session)
    },
  ),
  defineCase(
    { id: "listAccounts.deleted", name: "a deleted user has no accounts", part: "listAccounts" },
    ["createUser", "deleteUser", "linkAccount", "listAccounts"],
    async (adapter, options) => {
      const { id } = await adapter.createUser(aUser(options))
      for (const account of [anAccount(id), anAccount(id)]) await adapter.linkAccount(account)
      await adapter.deleteUser(id)
      expectList("listAccounts of a deleted user", await adapter.listAccounts(id), "providerAccountId", [])
    },
  ),
  defineCase(
    { id: "listSessions.deleted", name: "a deleted user has no sessions", part: "listSessions" },
    ["createUser", "deleteUser", "createSession", "listSessions"],
    async (adapter, options) => {
      const { id: userId } = await adapter.createUser(aUser(options))
      for (const sessionToken of [unique(), unique()])
        await adapter.createSession({ sessionToken, userId, expires: instant(options) })
      await adapter.deleteUser(userId)
      expectList("listSessions of a deleted user", await adapter.listSessions(userId), "sessionToken", [])
    },
  ),
  defineCase(
    { id: "authenticators.reuse", name: "a deleted user's passkey can be registered again", part: "webauthn" },
    ["createUser", "deleteUser", "createAuthenticator", "getAuthenticator"],
    async (adapter, options) => {
      const former = await adapter.createUser(aUser(options))
      const passkey = anAuthenticator(former.id)
      await adapter.createAuthenticator(passkey)
      await adapter.deleteUser(former.id)
      const { id: userId } = await adapter.createUser(aUser(options))
      await adapter.createAuthenticator({ ...passkey, userId })
      const found = await adapter.getAuthenticator(passkey.credentialID)
      expectFields("getAuthenticator returns the passkey of the new user", found, { ...passkey, userId })
    },
  ),
]
