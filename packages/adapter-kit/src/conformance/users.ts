import type { AdapterUser } from "@latchkey/core/adapters"
import { type ConformanceCase, promise } from "./case.js"
import { fail, holds, isNull, oneWins, refuses } from "./check.js"
import { accountKey, anAccount, aUser, instant, unique } from "./fixtures.js"

const part = "basic"

export const users: readonly ConformanceCase[] = [
  promise(
    { id: "users.create", name: "a created user is returned and found with every field", part },
    ["createUser", "getUser", "getUserByEmail"],
    async (adapter, around) => {
      const { id: _, ...fields } = aUser(around, { emailVerified: instant(around) })
      const created = await adapter.createUser({ ...fields, id: around.newId() })
      if (typeof created.id !== "string" || created.id === "") fail("createUser returns an id", "none")
      holds("createUser returns what is stored", created, fields)
      holds("getUser finds a created user", await adapter.getUser(created.id), { ...fields, id: created.id })
      const byEmail = await adapter.getUserByEmail(fields.email)
      holds("getUserByEmail finds a created user", byEmail, { ...fields, id: created.id })
    },
  ),
  promise(
    { id: "users.unknown", name: "an unknown user is null", part },
    ["getUser", "getUserByEmail", "getUserByAccount"],
    async (adapter, around) => {
      isNull("getUser of an unknown id gives", await adapter.getUser(around.newId()))
      isNull("getUserByEmail of an unknown address gives", await adapter.getUserByEmail(`${unique()}@example.com`))
      const account = { provider: "acme", providerAccountId: unique() }
      isNull("getUserByAccount of an unknown account gives", await adapter.getUserByAccount(account))
    },
  ),
  promise(
    { id: "users.update", name: "an update changes the given fields and no others", part },
    ["createUser", "updateUser", "getUser"],
    async (adapter, around) => {
      const created = await adapter.createUser(aUser(around))
      const bystander = await adapter.createUser(aUser(around))
      const expected = { ...created, name: "Countess", emailVerified: instant(around) }
      const { id, name, emailVerified } = expected
      holds("updateUser returns the whole user", await adapter.updateUser({ id, name, emailVerified }), expected)
      holds("getUser sees the update", await adapter.getUser(id), expected)
      holds("updateUser leaves other users alone", await adapter.getUser(bystander.id), bystander)
    },
  ),
  promise(
    { id: "users.copies", name: "changing a returned user does not change the stored one", part },
    ["createUser", "getUser"],
    async (adapter, around) => {
      const given = aUser(around, { emailVerified: instant(around) })
      const created = await adapter.createUser(given)
      given.name = "Mallory"
      created.name = "Mallory"
      created.emailVerified?.setTime(0)
      const expected = { name: "Ada Lovelace", emailVerified: instant(around) }
      holds("A stored user changes through updateUser only", await adapter.getUser(created.id), expected)
    },
  ),
  promise(
    { id: "users.email-exact", name: "an address is found by itself and by no look-alike", part },
    ["createUser", "getUserByEmail"],
    async (adapter, around) => {
      const { email } = await adapter.createUser(aUser(around, { email: `mike.${unique()}@example.com` }))
      for (const lookalike of lookalikes(email)) {
        isNull(
          `getUserByEmail compares exactly: ${JSON.stringify(lookalike)} is not ${email}, so it gives`,
          await adapter.getUserByEmail(lookalike),
        )
      }
    },
  ),
  promise(
    { id: "users.email-lookalike-own", name: "look-alike addresses are two users", part },
    ["createUser", "getUserByEmail"],
    async (adapter, around) => {
      const email = `mike.${unique()}@example.com`
      const victim = await adapter.createUser(aUser(around, { email }))
      const dotless = await adapter.createUser(aUser(around, { email: email.replace("i", "ı") }))
      holds("Each of two look-alike addresses finds its own user", await adapter.getUserByEmail(email), {
        id: victim.id,
      })
      holds("Each of two look-alike addresses finds its own user", await adapter.getUserByEmail(dotless.email), {
        id: dotless.id,
      })
    },
  ),
  promise(
    { id: "users.email-unique", name: "an address belongs to one user", part },
    ["createUser", "getUserByEmail", "updateUser"],
    async (adapter, around) => {
      const first = await adapter.createUser(aUser(around))
      const second = await adapter.createUser(aUser(around))
      await refuses("createUser refuses an address that is taken", () =>
        adapter.createUser(aUser(around, { email: first.email })),
      )
      await refuses("updateUser refuses an address that is taken", () =>
        adapter.updateUser({ id: second.id, email: first.email }),
      )
      holds("The owner keeps the address", await adapter.getUserByEmail(first.email), { id: first.id })
    },
  ),
  promise(
    { id: "users.email-moved", name: "a changed address is found, and the former one is free", part },
    ["createUser", "getUserByEmail", "updateUser"],
    async (adapter, around) => {
      const { id, email: former } = await adapter.createUser(aUser(around))
      const email = `moved.${unique()}@example.com`
      await adapter.updateUser({ id, email })
      holds("getUserByEmail finds the new address", await adapter.getUserByEmail(email), { id })
      isNull("getUserByEmail of the former address gives", await adapter.getUserByEmail(former))
    },
  ),
  promise(
    { id: "users.email-race", name: "of parallel sign-ups with one address exactly one wins", part },
    ["createUser", "getUserByEmail"],
    async (adapter, around) => {
      const email = `${unique()}@example.com`
      const attempts = Array.from({ length: 10 }, () => () => adapter.createUser(aUser(around, { email })))
      const winner = await oneWins(
        "createUser keeps an address unique",
        attempts,
        (user: AdapterUser) => user.email === email,
      )
      holds("The winner of a race has the address", await adapter.getUserByEmail(email), { id: winner.id })
    },
  ),
  promise(
    { id: "users.delete", name: "a deleted user leaves nothing behind, and others keep theirs", part },
    [
      "createUser",
      "deleteUser",
      "getUser",
      "getUserByEmail",
      "linkAccount",
      "getUserByAccount",
      "createSession",
      "getSessionAndUser",
    ],
    async (adapter, around) => {
      const [user, bystander] = [await adapter.createUser(aUser(around)), await adapter.createUser(aUser(around))]
      // Two of each: a store that only remembers the last one of a user shows here.
      const accounts = [anAccount(user.id), anAccount(user.id), anAccount(bystander.id)]
      for (const account of accounts) await adapter.linkAccount(account)
      const sessions = [user, user, bystander].map(({ id }) => ({
        sessionToken: unique(),
        userId: id,
        expires: instant(around),
      }))
      for (const session of sessions) await adapter.createSession(session)
      await adapter.deleteUser(user.id)
      isNull("getUser of a deleted user gives", await adapter.getUser(user.id))
      isNull("getUserByEmail of a deleted user gives", await adapter.getUserByEmail(user.email))
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
      for (const found of gone.accounts) isNull("getUserByAccount of a deleted user's account gives", found)
      for (const found of gone.sessions) isNull("getSessionAndUser of a deleted user's session gives", found)
      holds("deleteUser leaves other users' accounts", kept.accounts[0], { id: bystander.id })
      holds("deleteUser leaves other users' sessions", kept.sessions[0]?.session, { userId: bystander.id })
    },
  ),
]

/** What careless collations take for the same text: case, accents, the Turkish i, padding, full width. */
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
