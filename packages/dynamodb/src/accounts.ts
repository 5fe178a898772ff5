import { type AccountMethods, type AdapterAccount, newId, UniqueViolation } from "@latchkey/core/adapters"
import { fieldsOf, type Item, lastingAttributesOf, makeLasting } from "./codec.js"
import {
  accountKey,
  accountPointer,
  assertStorable,
  assertStorableAccount,
  hashed,
  isStorable,
  isStorableAccount,
  userKey,
} from "./keys.js"
import { findOwned, type FoundOwned, insertOwned, type Owned, removeOwned } from "./owned.js"
import { type Table, without } from "./table.js"

export function accountMethods(table: Table): AccountMethods {
  return {
    linkAccount: async (account) => {
      await linkAccount(table, account)
      return account
    },
    unlinkAccount: async ({ provider, providerAccountId }) => {
      if (!isStorableAccount(provider, providerAccountId)) return undefined
      const removed = await removeOwned(table, await accountOwned(provider, providerAccountId))
      return removed && accountOf(table, removed)
    },
    getAccount: async (providerAccountId, provider) => {
      const found = await findAccount(table, provider, providerAccountId)
      return found === undefined ? null : accountOf(table, found.item)
    },
    listAccounts: async (userId) => {
      const items = isStorable(userId) ? await table.list(userKey(userId).pk, "ACCOUNT#") : []
      return items.map(({ item }) => accountOf(table, item))
    },
    updateAccount: async (account) => {
      const found = await findAccount(table, account.provider, account.providerAccountId)
      if (found === undefined) return null
      const { set, remove } = makeLasting(found.item)
      const changes = without(table.withoutKeys(lastingAttributesOf(account)), ["userId", "id"])
      const after = await table.update(found.key, { set: { ...set, ...changes }, remove }, { exists: true })
      return after === undefined ? null : accountOf(table, after)
    },
  }
}

export async function findAccount(
  table: Table,
  provider: string,
  providerAccountId: string,
): Promise<FoundOwned | undefined> {
  return isStorableAccount(provider, providerAccountId)
    ? findOwned(table, await accountOwned(provider, providerAccountId))
    : undefined
}

async function accountOwned(provider: string, providerAccountId: string): Promise<Owned> {
  const shortId = isStorable(provider, providerAccountId) ? providerAccountId : await hashed(providerAccountId)
  return {
    pointer: accountPointer(provider, providerAccountId),
    indexKey: { pk: `ACCOUNT#${provider}`, sk: `ACCOUNT#${shortId}` },
    keyFor: (userId) => accountKey(userId, provider, shortId),
    matches: (item) => item["provider"] === provider && String(item["providerAccountId"]) === providerAccountId,
  }
}

async function linkAccount(table: Table, account: AdapterAccount): Promise<void> {
  const { provider, providerAccountId, userId } = account
  assertStorableAccount(provider, providerAccountId)
  assertStorable(userId)
  const taken = "The account is already linked. Look up its user with getUserByAccount."
  const hasUser = async (id: string) => (await table.get(userKey(id))) !== undefined
  if (!(await hasUser(userId))) throw new Error("There is no user with this userId. Create the user first.")
  const existing = await findAccount(table, provider, providerAccountId)
  // An account that `@auth/dynamodb-adapter` linked has no pointer, and it can outlive its user.
  if (existing !== undefined && (await hasUser(existing.userId))) throw new UniqueViolation(taken)
  const item = { ...table.withoutKeys(lastingAttributesOf(account)), id: newId() }
  await insertOwned(table, { owned: await accountOwned(provider, providerAccountId), userId, item, taken, hasUser })
}

/** The `id` that `@auth/dynamodb-adapter` stores isn't a field of an account. */
function accountOf(table: Table, item: Item): AdapterAccount {
  // The types of the tokens are those that the provider sent. DynamoDB returns each with the type that was stored.
  return fieldsOf(without(table.withoutKeys(item), ["id"])) as unknown as AdapterAccount
}
