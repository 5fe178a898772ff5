import type { Adapter } from "@latchkey/core/adapters"
import type { Store } from "./store.js"

type AccountMethods = Required<
  Pick<Adapter, "linkAccount" | "unlinkAccount" | "getAccount" | "listAccounts" | "updateAccount">
>

export function accountMethods(store: Store): AccountMethods {
  const accounts = async () => (await store.tables()).accounts
  return {
    linkAccount: async (account) => {
      await (await accounts()).add(account)
      return account
    },
    unlinkAccount: async ({ provider, providerAccountId }) =>
      (await (await accounts()).remove({ provider, providerAccountId }))[0],
    getAccount: async (providerAccountId, provider) =>
      (await (await accounts()).find({ provider, providerAccountId }))[0] ?? null,
    listAccounts: async (userId) => (await accounts()).find({ userId }),
    updateAccount: async (account) => {
      // Some providers return a refresh token only at the first sign-in, so fields that aren't given are kept.
      const { provider, providerAccountId, userId: _owner, ...changes } = account
      return (await (await accounts()).update({ provider, providerAccountId }, changes)) ?? null
    },
  }
}
