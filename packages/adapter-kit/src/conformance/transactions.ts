import type { Adapter, AdapterAccount, AdapterUser } from "@latchkey/core/adapters"
import { type ConformanceCase, promise } from "./case.js"
import { fail, holds, isNull, lists, refuses } from "./check.js"
import { accountKey, anAccount, aUser, instant, tokenKey, unique } from "./fixtures.js"

const part = "transaction"

export const transactions: readonly ConformanceCase[] = [
  promise(
    { id: "transaction.commit", name: "what a transaction wrote is there after it", part },
    ["createUser", "linkAccount", "getUserByAccount", "transaction"],
    async (adapter, around) => {
      const account = anAccount("")
      const created = await adapter.transaction(async (inside) => {
        const user = await signUp(inside, aUser(around), account)
        holds("A transaction sees its own writes", await inside.getUserByAccount?.(accountKey(account)), {
          id: user.id,
        })
        return user
      })
      holds(
        "transaction returns the result of the work, and commits",
        await adapter.getUserByAccount(accountKey(account)),
        created,
      )
    },
  ),
  promise(
    { id: "transaction.rollback", name: "what a failed transaction wrote, changed and removed is as before", part },
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
    async (adapter, around) => {
      const before = await adapter.createUser(aUser(around))
      const token = { identifier: unique(), token: unique(), expires: instant(around) }
      await adapter.createVerificationToken(token)
      const session = { sessionToken: unique(), userId: before.id, expires: instant(around) }
      const [user, account, reason] = [aUser(around), anAccount(""), new Error("The work failed")]
      const thrown = await refuses("transaction rejects when the work does", () =>
        adapter.transaction(async (inside) => {
          await signUp(inside, user, account)
          await inside.updateUser?.({ id: before.id, name: "Mallory" })
          await inside.createSession?.(session)
          await inside.useVerificationToken?.(tokenKey(token))
          throw reason
        }),
      )
      if (thrown !== reason) fail("transaction rejects with the error of the work", String(thrown))
      isNull("A failed transaction leaves no user: getUserByEmail gives", await adapter.getUserByEmail(user.email))
      isNull(
        "A failed transaction leaves no account: getUserByAccount gives",
        await adapter.getUserByAccount(accountKey(account)),
      )
      holds("A failed transaction changes nothing", await adapter.getUser(before.id), before)
      isNull(
        "A failed transaction leaves no session: getSessionAndUser gives",
        await adapter.getSessionAndUser(session.sessionToken),
      )
      holds("A failed transaction consumes no token", await adapter.useVerificationToken(tokenKey(token)), token)
    },
  ),
  promise(
    { id: "transaction.hidden", name: "nobody sees what a transaction wrote before it ends", part },
    ["createUser", "getUserByEmail", "transaction"],
    async (adapter, around) => {
      const user = aUser(around)
      const seen: PromiseLike<unknown>[] = []
      const work = adapter.transaction(async (inside) => {
        await inside.createUser?.(user)
        // Not awaited in here: a store with one connection answers when the transaction has ended.
        seen.push(Promise.resolve(adapter.getUserByEmail(user.email)))
        throw new Error("The work failed")
      })
      await refuses("transaction rejects when the work does", () => work)
      isNull("An unfinished write is hidden: getUserByEmail gives", await seen[0])
    },
  ),
  promise(
    {
      id: "transaction.race",
      name: "of parallel sign-ups with one address one commits, and the others leave nothing",
      part,
    },
    ["createUser", "getUserByEmail", "linkAccount", "getUserByAccount", "transaction"],
    async (adapter, around) => {
      const email = `${unique()}@example.com`
      const accounts = Array.from({ length: 5 }, () => anAccount(""))
      const outcomes = await Promise.allSettled(
        accounts.map((account) => adapter.transaction((inside) => signUp(inside, aUser(around, { email }), account))),
      )
      const winners = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.id] : []))
      const stored = await adapter.getUserByEmail(email)
      lists("Exactly the sign-up that committed has the address", winners, "id", [stored?.id ?? "nobody"])
      const owners = await Promise.all(accounts.map(async (account) => adapter.getUserByAccount(accountKey(account))))
      const linked = owners.filter((owner) => owner !== null)
      lists("The sign-ups that failed link nothing", linked, "id", winners)
    },
  ),
  promise(
    { id: "transaction.beside", name: "a failed transaction undoes nothing that others wrote meanwhile", part },
    ["createUser", "getUser", "transaction"],
    async (adapter, around) => {
      const beside: PromiseLike<AdapterUser>[] = []
      const work = adapter.transaction(async (inside) => {
        await inside.createUser?.(aUser(around))
        beside.push(Promise.resolve(adapter.createUser(aUser(around))))
        throw new Error("The work failed")
      })
      await refuses("transaction rejects when the work does", () => work)
      const other = await beside[0]
      holds("A write beside a failed transaction stays", await adapter.getUser(other?.id ?? ""), other ?? {})
    },
  ),
]

async function signUp(inside: Adapter, user: AdapterUser, account: AdapterAccount): Promise<AdapterUser> {
  const created = await inside.createUser?.(user)
  if (!created) return fail("The adapter inside a transaction has createUser", "none")
  await inside.linkAccount?.({ ...account, userId: created.id })
  return created
}
