import type { AccountMethods, AdapterAccount } from "@latchkey/core/adapters"
import type { Document } from "mongodb"
import { assertText, fieldsOf, fromId, isText, setOf, toId, without } from "./documents.js"
import { ofUser } from "./filters.js"
import { insertOwned } from "./owned.js"
import type { Collections } from "./collections.js"
import type { Store } from "./store.js"
import { requireUser } from "./users.js"

export function accountMethods(store: Store): AccountMethods {
  return {
    linkAccount: (account) => store.write(async (collections) => linkAccount(collections, account)),
    unlinkAccount: async ({ provider, providerAccountId }) => {
      if (!isText(provider) || !isText(providerAccountId)) return null
      const key = { provider, providerAccountId }
      return store.read(async ({ accounts }) =>
        accountOrNull(await accounts.findOneAndDelete(key, { includeResultMetadata: false })),
      )
    },
    getAccount: async (providerAccountId, provider) => {
      if (!isText(provider) || !isText(providerAccountId)) return null
      return store.read(async ({ accounts }) => accountOrNull(await accounts.findOne({ provider, providerAccountId })))
    },
    listAccounts: async (userId) =>
      isText(userId)
        ? store.read(async ({ accounts }) => (await accounts.find(ofUser(userId)).toArray()).map(accountOf))
        : [],
    updateAccount: async ({ provider, providerAccountId, userId: _userId, ...tokens }) => {
      if (!isText(provider) || !isText(providerAccountId)) return null
      const fields = setOf(without(fieldsOf({ provider, ...tokens }), "_id", "id"))
      const options = { returnDocument: "after", includeResultMetadata: false } as const
      return store.read(async ({ accounts }) =>
        accountOrNull(await accounts.findOneAndUpdate({ provider, providerAccountId }, fields, options)),
      )
    },
  }
}

async function linkAccount(collections: Collections, account: AdapterAccount): Promise<AdapterAccount> {
  const { provider, providerAccountId, userId } = account
  assertText(provider, providerAccountId)
  await requireUser(collections, userId)
  await insertOwned(collections, {
    collection: collections.accounts,
    key: { provider, providerAccountId },
    document: { ...without(fieldsOf(account), "_id", "id"), userId: toId(userId) },
    taken: "The account is already linked. Look up its user with getUserByAccount.",
  })
  return account
}

function accountOf(document: Document): AdapterAccount {
  const account = { ...without(document, "_id"), userId: fromId(document["userId"]) }
  // The types of the tokens are those that the provider sent. BSON keeps the types that were stored.
  return account as unknown as AdapterAccount
}

function accountOrNull(document: Document | null): AdapterAccount | null {
  return document === null ? null : accountOf(document)
}
