import type { AdapterUser } from "@latchkey/core/adapters"
import { type ConformanceCase, defineCase } from "./case.js"
import { fail, expectFields, expectNull, expectOneWinner, expectRejection } from "./check.js"
import { accountKey, anAccount, aUser, deletionMethods, instant, unique } from "./fixtures.js"

const part = "basic"

export const users: readonly ConformanceCase[] = [
  defineCase(
    { id: "users.create", name: "a created user is returned and found with all fields", part },
    ["createUser", "getUser", "getUserByEmail"],
    async (adapter, options) => {
      const { id: _, ...fields } = aUser(options, { emailVerified: instant(options) })
      const created = await adapter.createUser({ ...fields, id: options.newId() })
      if (typeof created.id !== "string" || created.id === "") fail("createUser returns an id", "none")
      expectFields("createUser returns what is stored", created, fields)
      expectFields("getUser returns the created user", await adapter.getUser(created.id), { ...fields, id: created.id })
      const byEmail = await adapter.getUserByEmail(fields.email)
      expectFields("getUserByEmail returns the created user", byEmail, { ...fields, id: created.id })
    },
  ),
  defineCase(
    { id: "users.unknown", name: "an unknown user is null", part },
    ["getUser", "getUserByEmail", "getUserByAccount"],
    async (adapter, options) => {
      expectNull("getUser of an unknown id", await adapter.getUser(options.newId()))
      expectNull("getUserByEmail of an unknown email", await adapter.getUserByEmail(`${unique()}@example.com`))
      const account = { provider: "acme", providerAccountId: unique() }
      expectNull("getUserByAccount of an unknown account", await adapter.getUserByAccount(account))
    },
  ),
  defineCase(
    { id: "users.update", name: "an update changes only the given fields", part },
    ["createUser", "updateUser", "getUser"],
    async (adapter, options) => {
      const [given, other] = [aUser(options), aUser(options)]
      const [{ id }, bystander] = [await adapter.createUser(given), await adapter.createUser(other)]
      const changes = { name: "Countess", emailVerified: instant(options) }
      const expected = { ...given, id, ...changes }
      expectFields("updateUser returns the whole user", await adapter.updateUser({ id, ...changes }), expected)
      expectFields("getUser returns the updated user", await adapter.getUser(id), expected)
      expectFields("updateUser doesn't change other users", await adapter.getUser(bystander.id), {
        ...other,
        id: bystander.id,
      })
    },
  ),
  defineCase(
    { id: "users.copies", name: "changing a returned object doesn't change the stored user", part },
    ["createUser", "getUser"],
    async (adapter, options) => {
      const given = aUser(options, { emailVerified: instant(options) })
      const created = await adapter.createUser(given)
      given.name = "Mallory"
      created.name = "Mallory"
      created.emailVerified?.setTime(0)
      const expected = { name: "Ada Lovelace", emailVerified: instant(options) }
      expectFields("Only updateUser changes the stored user", await adapter.getUser(created.id), expected)
    },
  ),
  defineCase(
    { id: "users.email-exact", name: "an email isn't found by a similar email", part },
    ["createUser", "getUserByEmail"],
    async (adapter, options) => {
      const { email } = await adapter.createUser(aUser(options, { email: `mike.${unique()}@example.com` }))
      for (const lookalike of lookalikes(email)) {
        expectNull(
          `getUserByEmail compares exactly, so with ${JSON.stringify(lookalike)} instead of ${email} it`,
          await adapter.getUserByEmail(lookalike),
        )
      }
    },
  ),
  defineCase(
    { id: "users.email-lookalike-own", name: "two users can have similar emails", part },
    ["createUser", "getUserByEmail"],
    async (adapter, options) => {
      const email = `mike.${unique()}@example.com`
      const victim = await adapter.createUser(aUser(options, { email }))
      const dotless = await adapter.createUser(aUser(options, { email: email.replace("i", "ı") }))
      expectFields("getUserByEmail returns the user with exactly this email", await adapter.getUserByEmail(email), {
        id: victim.id,
      })
      expectFields(
        "getUserByEmail returns the user with exactly this email",
        await adapter.getUserByEmail(dotless.email),
        {
          id: dotless.id,
        },
      )
    },
  ),
  defineCase(
    { id: "users.email-unique", name: "an email belongs to one user", part },
    ["createUser", "getUserByEmail", "updateUser"],
    async (adapter, options) => {
      const first = await adapter.createUser(aUser(options))
      const second = await adapter.createUser(aUser(options))
      await expectRejection("createUser rejects a taken email", () =>
        adapter.createUser(aUser(options, { email: first.email })),
      )
      await expectRejection("updateUser rejects a taken email", () =>
        adapter.updateUser({ id: second.id, email: first.email }),
      )
      expectFields("The owner keeps the email", await adapter.getUserByEmail(first.email), { id: first.id })
    },
  ),
  defineCase(
    { id: "users.email-moved", name: "a user is found by a changed email, and no longer by the old one", part },
    ["createUser", "getUserByEmail", "updateUser"],
    async (adapter, options) => {
      const { id, email: former } = await adapter.createUser(aUser(options))
      const email = `moved.${unique()}@example.com`
      await adapter.updateUser({ id, email })
      expectFields("getUserByEmail with the new email returns the user", await adapter.getUserByEmail(email), { id })
      expectNull("getUserByEmail of the old email", await adapter.getUserByEmail(former))
    },
  ),
  defineCase(
    { id: "users.email-race", name: "of 20 parallel sign-ups with one email exactly one succeeds", part },
    ["createUser", "getUserByEmail"],
    async (adapter, options) => {
      const email = `${unique()}@example.com`
      const attempts = Array.from({ length: 20 }, () => () => adapter.createUser(aUser(options, { email })))
      const winner = await expectOneWinner(
        "createUser keeps emails unique",
        attempts,
        (user: AdapterUser) => user.email === email,
      )
      expectFields("The user who was created has the email", await adapter.getUserByEmail(email), { id: winner.id })
    },
  ),
  defineCase(
    { id: "users.delete", name: "deleting a user deletes their accounts and sessions, but not those of others", part },
    [...deletionMethods, "getUser"],
    async (adapter, options) => {
      const [user, bystander] = [await adapter.createUser(aUser(options)), await adapter.createUser(aUser(options))]
      // Two of each, to detect an adapter that deletes only one.
      const accounts = [anAccount(user.id), anAccount(user.id), anAccount(bystander.id)]
      for (const account of accounts) await adapter.linkAccount(account)
      const sessions = [user, user, bystander].map(({ id }) => ({
        sessionToken: unique(),
        userId: id,
        expires: instant(options),
      }))
      for (const session of sessions) await adapter.createSession(session)
      await adapter.deleteUser(user.id)
      expectNull("getUser of a deleted user", await adapter.getUser(user.id))
      expectNull("getUserByEmail of a deleted user", await adapter.getUserByEmail(user.email))
      const seen = async (userId: string) => ({
        accounts: await Promise.all(
          accounts.filter((row) => row.userId === userId).map(async (row) => adapter.getUserByAccount(accountKey(row))),
        ),
        sessions: await Promise.all(
          sessions
            .filter((row) => row.userId === userId)
            .map(async (row) => adapter.getSessionAndUser(row.sessionToken)),
        ),
      })
      const [gone, kept] = [await seen(user.id), await seen(bystander.id)]
      for (const found of gone.accounts) expectNull("getUserByAccount of a deleted user's account", found)
      for (const found of gone.sessions) expectNull("getSessionAndUser of a deleted user's session", found)
      expectFields("deleteUser keeps other users' accounts", kept.accounts[0], { id: bystander.id })
      expectFields("deleteUser keeps other users' sessions", kept.sessions[0]?.session, { userId: bystander.id })
    },
  ),
]

/** Texts that some collations treat as equal: case, accents, the Turkish i, whitespace, full width. */
function lookalikes(email: string): string[] {
  const swaps = [email.toUpperCase(), email.replace("m", "M"), email.replace("i", "ı"), email.replace("i", "í")]
  return [
    ...swaps,
    email.replace("m", "ｍ"),
    `${email} `,
    ` ${email}`,
    email.replace("i", "i\u0301"),
    email.replace("mike", "m_ke"),
  ]
}
