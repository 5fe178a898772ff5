import type { Adapter } from "@latchkey/core/adapters"
import { UniqueViolation } from "../unique-violation.js"
import { copyIn, copyOut } from "./copy.js"
import { pair, type Tables } from "./tables.js"
import { assertUser, copyOrNull, rowsOfUser } from "./users.js"

type AccountMethods = Required<
  Pick<Adapter, "linkAccount" | "unlinkAccount" | "getAccount" | "listAccounts" | "updateAccount">
>

export function accountMethods({ accounts, users }: Tables): AccountMethods {
  return {
    linkAccount: async (account) => {
      const key = pair(account.provider, account.providerAccountId)
      if (accounts.get(key))
        throw new UniqueViolation("The account is already linked. Look up its user with getUserByAccount.")
      assertUser(users, account.userId)
      const row = copyIn(account)
      accounts.set(key, row)
      return copyOut(row)
    },
    unlinkAccount: async ({ provider, providerAccountId }) => {
      const key = pair(provider, providerAccountId)
      const row = accounts.get(key)
      accounts.delete(key)
      return row && copyOut(row)
    },
    getAccount: async (providerAccountId, provider) => copyOrNull(accounts.get(pair(provider, providerAccountId))),
    listAccounts: async (userId) => rowsOfUser(accounts, userId).map(copyOut),
    updateAccount: async (account) => {
      const key = pair(account.provider, account.providerAccountId)
      const before = accounts.get(key)
      if (!before) return null
      const after = { ...before, ...copyIn(account), userId: before.userId }
      accounts.set(key, after)
      return copyOut(after)
    },
  }
}
