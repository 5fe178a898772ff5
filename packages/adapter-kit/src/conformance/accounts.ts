import { type ConformanceCase, defineCase } from "./case.js"
import { expectFields, expectNull, expectOneWinner, expectRejection } from "./check.js"
import { accountKey, anAccount, aUser, unique } from "./fixtures.js"

const part = "basic"

export const accounts: readonly ConformanceCase[] = [
  defineCase(
    { id: "accounts.link", name: "a user is found by a linked account", part },
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const account = anAccount(user.id)
      await adapter.linkAccount(account)
      expectFields("getUserByAccount returns the owner", await adapter.getUserByAccount(accountKey(account)), user)
      const elsewhere = await adapter.getUserByAccount({ ...accountKey(account), provider: "other" })
      expectNull("getUserByAccount with the same id at another provider", elsewhere)
    },
  ),
  defineCase(
    { id: "accounts.unlink", name: "unlinking an account leaves the user's other accounts linked", part },
    ["createUser", "getUser", "linkAccount", "unlinkAccount", "getUserByAccount"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const account = anAccount(user.id)
      const twin = { ...account, provider: "other" }
      await adapter.linkAccount(account)
      await adapter.linkAccount(twin)
      await adapter.unlinkAccount(accountKey(account))
      expectNull("getUserByAccount of an unlinked account", await adapter.getUserByAccount(accountKey(account)))
      expectFields("unlinkAccount keeps the user's other accounts", await adapter.getUserByAccount(accountKey(twin)), {
        id: user.id,
      })
      expectFields("unlinkAccount keeps the user", await adapter.getUser(user.id), { id: user.id })
    },
  ),
  defineCase(
    { id: "accounts.case", name: "account ids that differ only in case or whitespace are different accounts", part },
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, options) => {
      const id = unique()
      for (const providerAccountId of [`${id}a`, `${id}A`, `${id}á`, `${id}a `]) {
        const ask = { provider: "acme", providerAccountId }
        expectNull(
          `getUserByAccount compares ids exactly, so with the unlinked id ${JSON.stringify(providerAccountId)} it`,
          await adapter.getUserByAccount(ask),
        )
        const user = await adapter.createUser(aUser(options))
        await adapter.linkAccount(anAccount(user.id, ask))
        expectFields("getUserByAccount returns the owner of exactly this id", await adapter.getUserByAccount(ask), {
          id: user.id,
        })
      }
    },
  ),
  defineCase(
    { id: "accounts.unique", name: "an account belongs to one user", part },
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, options) => {
      const [owner, other] = [await adapter.createUser(aUser(options)), await adapter.createUser(aUser(options))]
      const account = anAccount(owner.id)
      await adapter.linkAccount(account)
      await expectRejection("linkAccount rejects a linked account", () =>
        adapter.linkAccount({ ...account, userId: other.id }),
      )
      expectFields("The owner keeps the account", await adapter.getUserByAccount(accountKey(account)), { id: owner.id })
    },
  ),
  defineCase(
    { id: "accounts.race", name: "of 20 parallel links of one account exactly one succeeds", part },
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, options) => {
      const users = [await adapter.createUser(aUser(options)), await adapter.createUser(aUser(options))]
      const account = anAccount("")
      const attempts = Array.from({ length: 20 }, (_, index) => async () => {
        const userId = users[index % 2]?.id ?? ""
        await adapter.linkAccount({ ...account, userId })
        return userId
      })
      const id = await expectOneWinner("linkAccount keeps an account unique", attempts, () => true)
      const owner = await adapter.getUserByAccount(accountKey(account))
      expectFields("The account belongs to the user whose call succeeded", owner, { id })
    },
  ),
]
