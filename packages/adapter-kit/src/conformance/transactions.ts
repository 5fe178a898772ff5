import type { Adapter, AdapterAccount, AdapterUser } from "@latchkey/core/adapters"
import { type ConformanceCase, defineCase } from "./case.js"
import { fail, expectFields, expectNull, expectList, expectRejection } from "./check.js"
import { accountKey, anAccount, aUser, instant, tokenKey, unique } from "./fixtures.js"

const part = "transaction"

export const transactions: readonly ConformanceCase[] = [
  defineCase(
    { id: "transaction.commit", name: "a transaction commits its writes", part },
    ["createUser", "linkAccount", "getUserByAccount", "transaction"],
    async (adapter, options) => {
      const account = anAccount("")
      const created = await adapter.transaction(async (inside) => {
        const user = await signUp(inside, aUser(options), account)
        expectFields("A transaction reads its own writes", await inside.getUserByAccount?.(accountKey(account)), {
          id: user.id,
        })
        return user
      })
      expectFields(
        "transaction returns the result of the callback and commits",
        await adapter.getUserByAccount(accountKey(account)),
        created,
      )
    },
  ),
  defineCase(
    { id: "transaction.rollback", name: "a failed transaction rolls back all its writes", part },
    [
      "createUser",
      "getUser",
      "updateUser",
      "getUserByEmail",
      "linkAccount",
      "getUserByAccount",
      "createSession",
      "getSessionAndUser",
      "createVerificationToken",
      "useVerificationToken",
      "transaction",
    ],
    async (adapter, options) => {
      const before = await adapter.createUser(aUser(options))
      const token = { identifier: unique(), token: unique(), expires: instant(options) }
      await adapter.createVerificationToken(token)
      const session = { sessionToken: unique(), userId: before.id, expires: instant(options) }
      const [user, account, reason] = [aUser(options), anAccount(""), new Error("The callback failed")]
      const thrown = await expectRejection("transaction rejects if the callback rejects", () =>
        adapter.transaction(async (inside) => {
          await signUp(inside, user, account)
          await inside.updateUser?.({ id: before.id, name: "Mallory" })
          await inside.createSession?.(session)
          await inside.useVerificationToken?.(tokenKey(token))
          throw reason
        }),
      )
      if (thrown !== reason) fail("transaction rejects with the error of the callback", String(thrown))
      expectNull("A failed transaction creates no user, so getUserByEmail", await adapter.getUserByEmail(user.email))
      expectNull(
        "A failed transaction links no account, so getUserByAccount",
        await adapter.getUserByAccount(accountKey(account)),
      )
      expectFields("A failed transaction doesn't change the user", await adapter.getUser(before.id), before)
      expectNull(
        "A failed transaction creates no session, so getSessionAndUser",
        await adapter.getSessionAndUser(session.sessionToken),
      )
      expectFields("A failed transaction consumes no token", await adapter.useVerificationToken(tokenKey(token)), token)
    },
  ),
  defineCase(
    { id: "transaction.hidden", name: "writes of a transaction aren't visible before it commits", part },
    ["createUser", "getUserByEmail", "transaction"],
    async (adapter, options) => {
      const user = aUser(options)
      const reads: PromiseLike<unknown>[] = []
      const work = adapter.transaction(async (inside) => {
        await inside.createUser?.(user)
        // Not awaited here: an adapter with a single connection responds after the transaction.
        reads.push(Promise.resolve(adapter.getUserByEmail(user.email)))
        throw new Error("The callback failed")
      })
      await expectRejection("transaction rejects if the callback rejects", () => work)
      expectNull("Uncommitted writes aren't visible, so getUserByEmail", await reads[0])
    },
  ),
  defineCase(
    {
      id: "transaction.race",
      name: "of 20 parallel sign-ups with one email one commits, and the others are rolled back",
      part,
    },
    ["createUser", "getUserByEmail", "linkAccount", "getUserByAccount", "transaction"],
    async (adapter, options) => {
      const email = `${unique()}@example.com`
      const accounts = Array.from({ length: 20 }, () => anAccount(""))
      const outcomes = await Promise.allSettled(
        accounts.map((account) => adapter.transaction((inside) => signUp(inside, aUser(options, { email }), account))),
      )
      const winners = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.id] : []))
      const stored = await adapter.getUserByEmail(email)
      expectList("Exactly one sign-up commits", winners, "id", [stored?.id ?? "none"])
      const owners = await Promise.all(accounts.map(async (account) => adapter.getUserByAccount(accountKey(account))))
      const linked = owners.filter((owner) => owner !== null)
      expectList("Failed sign-ups link no account", linked, "id", winners)
    },
  ),
  defineCase(
    { id: "transaction.beside", name: "a failed transaction doesn't roll back other writes", part },
    ["createUser", "getUser", "transaction"],
    async (adapter, options) => {
      const beside: PromiseLike<AdapterUser>[] = []
      const work = adapter.transaction(async (inside) => {
        await inside.createUser?.(aUser(options))
        beside.push(Promise.resolve(adapter.createUser(aUser(options))))
        throw new Error("The callback failed")
      })
      await expectRejection("transaction rejects if the callback rejects", () => work)
      const other = await beside[0]
      expectFields(
        "A write outside the failed transaction is kept",
        await adapter.getUser(other?.id ?? ""),
        other ?? {},
      )
    },
  ),
]

async function signUp(inside: Adapter, user: AdapterUser, account: AdapterAccount): Promise<AdapterUser> {
  const created = await inside.createUser?.(user)
  if (!created) return fail("The adapter in a transaction has createUser", "no createUser")
  await inside.linkAccount?.({ ...account, userId: created.id })
  return created
}
