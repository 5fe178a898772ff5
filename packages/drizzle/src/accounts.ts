import type { AccountMethods, AdapterAccount } from "@latchkey/core/adapters"
import { changeText } from "./change-text.js"
import { fromJson, toJson } from "./columns.js"
import { accountOf, rowOf, split } from "./rows.js"
import type { Store } from "./store.js"
import { hasText } from "./tables.js"

type AccountKey = Pick<AdapterAccount, "provider" | "providerAccountId">

export function accountMethods(store: Store): AccountMethods {
  const { accounts } = store.models
  return {
    linkAccount: async (account) => {
      const names = ["provider", "providerAccountId"]
      return accountOf(await store.insert(accounts, rowOf(accounts, account), names))
    },
    unlinkAccount: async ({ provider, providerAccountId }: AccountKey) => {
      const row = await store.take(accounts, { provider, providerAccountId })
      return row && accountOf(row)
    },
    getAccount: async (providerAccountId, provider) => {
      const [row] = await store.find(accounts, { provider, providerAccountId })
      return row ? accountOf(row) : null
    },
    listAccounts: async (userId) => (await store.find(accounts, { userId })).map(accountOf),
    updateAccount: (account) => updateAccount(store, account),
  }
}

/** Keeps fields that aren't given, because some providers return a refresh token only at the first sign-in. */
async function updateAccount(store: Store, account: AdapterAccount): Promise<AdapterAccount | null> {
  const { accounts } = store.models
  const { userId: _owner, ...changes } = account
  const { columns, rest } = split(accounts, changes)
  const { provider, providerAccountId } = account
  const key = { provider, providerAccountId }
  if (hasText(accounts, "extra") && Object.keys(rest).length > 0) {
    await changeText(store, accounts, key, "extra", (before) => toJson({ ...fromJson(before), ...rest }))
  }
  const row = await store.update(accounts, key, columns)
  return row ? accountOf(row) : null
}
