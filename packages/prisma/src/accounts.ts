import type { AccountMethods, AdapterAccount } from "@latchkey/core/adapters"
import { changeText } from "./change-text.js"
import { hasText } from "./client.js"
import { accountOf, rowOf, split } from "./rows.js"
import type { Store } from "./store.js"
import { fromJson, toJson } from "./values.js"

export function accountMethods(store: Store): AccountMethods {
  const { account: accounts } = store.models
  return {
    linkAccount: async (account) => accountOf(accounts, await store.insert(accounts, rowOf(accounts, account))),
    unlinkAccount: async ({ provider, providerAccountId }) => {
      const row = await store.take(accounts, { provider, providerAccountId })
      return row && accountOf(accounts, row)
    },
    getAccount: async (providerAccountId, provider) => {
      const [row] = await store.find(accounts, { provider, providerAccountId })
      return row ? accountOf(accounts, row) : null
    },
    listAccounts: async (userId) => (await store.find(accounts, { userId })).map((row) => accountOf(accounts, row)),
    updateAccount: (account) => updateAccount(store, account),
  }
}

/** Keeps fields that aren't given, because some providers return a refresh token only at the first sign-in. */
async function updateAccount(store: Store, account: AdapterAccount): Promise<AdapterAccount | null> {
  const { account: accounts } = store.models
  const { userId: _owner, ...changes } = account
  const { fields, rest } = split(accounts, changes)
  const { provider, providerAccountId } = account
  const key = { provider, providerAccountId }
  if (hasText(accounts, "extra") && Object.keys(rest).length > 0) {
    await changeText(store, accounts, key, "extra", (before) => toJson({ ...fromJson(before), ...rest }))
  }
  const row = await store.update(accounts, key, fields)
  return row ? accountOf(accounts, row) : null
}
