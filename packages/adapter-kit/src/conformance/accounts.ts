import { type ConformanceCase, promise } from "./case.js"
import { holds, isNull, oneWins, refuses } from "./check.js"
import { accountKey, anAccount, aUser, unique } from "./fixtures.js"

const part = "basic"

export const accounts: readonly ConformanceCase[] = [
  promise(
    { id: "accounts.link", name: "a linked account finds its user", part },
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around))
      const account = anAccount(user.id)
      await adapter.linkAccount(account)
      holds("getUserByAccount finds the owner", await adapter.getUserByAccount(accountKey(account)), user)
      const elsewhere = await adapter.getUserByAccount({ ...accountKey(account), provider: "other" })
      isNull("getUserByAccount with the same id at another provider gives", elsewhere)
    },
  ),
  promise(
    { id: "accounts.unlink", name: "an unlinked account is gone, and no other is", part },
    ["createUser", "getUser", "linkAccount", "unlinkAccount", "getUserByAccount"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around))
      const account = anAccount(user.id)
      const twin = { ...account, provider: "other" }
      await adapter.linkAccount(account)
      await adapter.linkAccount(twin)
      await adapter.unlinkAccount(accountKey(account))
      isNull("getUserByAccount of an unlinked account gives", await adapter.getUserByAccount(accountKey(account)))
      holds("unlinkAccount leaves the user's other accounts", await adapter.getUserByAccount(accountKey(twin)), {
        id: user.id,
      })
      holds("unlinkAccount leaves the user", await adapter.getUser(user.id), { id: user.id })
    },
  ),
  promise(
    { id: "accounts.case", name: "account ids that differ in case or padding are different accounts", part },
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, around) => {
      const id = unique()
      for (const providerAccountId of [`${id}a`, `${id}A`, `${id}á`, `${id}a `]) {
        const ask = { provider: "acme", providerAccountId }
        isNull(
          `getUserByAccount compares exactly: nobody linked ${JSON.stringify(providerAccountId)}, so it gives`,
          await adapter.getUserByAccount(ask),
        )
        const user = await adapter.createUser(aUser(around))
        await adapter.linkAccount(anAccount(user.id, ask))
        holds("getUserByAccount finds the owner of just this id", await adapter.getUserByAccount(ask), { id: user.id })
      }
    },
  ),
  promise(
    { id: "accounts.unique", name: "an account belongs to one user", part },
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, around) => {
      const [owner, other] = [await adapter.createUser(aUser(around)), await adapter.createUser(aUser(around))]
      const account = anAccount(owner.id)
      await adapter.linkAccount(account)
      await refuses("linkAccount refuses an account that is linked", () =>
        adapter.linkAccount({ ...account, userId: other.id }),
      )
      holds("The owner keeps the account", await adapter.getUserByAccount(accountKey(account)), { id: owner.id })
    },
  ),
  promise(
    { id: "accounts.race", name: "of parallel links of one account exactly one wins", part },
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, around) => {
      const user = await adapter.createUser(aUser(around))
      const account = anAccount(user.id)
      const attempts = Array.from({ length: 10 }, () => async () => {
        await adapter.linkAccount(account)
        return true
      })
      await oneWins("linkAccount keeps an account unique", attempts, (linked) => linked)
    },
  ),
]
