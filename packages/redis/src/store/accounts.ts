import { type Adapter, type AdapterAccount, UniqueViolation } from "@latchkey/core/adapters"
import { given, publicFields, textField } from "./codec.js"
import { allOwned, changeOwned, insertOwned, listOwned, type Owned, readOwned, removeOwned } from "./owned.js"
import type { Stored } from "./records.js"
import type { Store } from "./store.js"
import { readUser, requireUser, userOf } from "./user-records.js"

type AccountMethods = Required<
  Pick<Adapter, "getUserByAccount" | "linkAccount" | "unlinkAccount" | "getAccount" | "listAccounts" | "updateAccount">
>

type AccountKey = Pick<AdapterAccount, "provider" | "providerAccountId">

export function accountMethods(store: Store): AccountMethods {
  const { records, layout } = store
  return {
    getUserByAccount: async (account) => {
      const stored = await records.read(layout.account(account))
      if (stored === null || !ownedBy(store, account).isMeant(stored)) return null
      const user = await readUser(store, textField(stored, "userId"))
      return user === null ? null : userOf(user)
    },
    linkAccount: (account) => linkAccount(store, account),
    unlinkAccount: async (account) => {
      const removed = await removeOwned(store, ownedBy(store, account))
      if (removed === null) return null
      await records.remove(layout.latestAccount(textField(removed, "userId")), layout.account(account))
      return accountOf(removed)
    },
    getAccount: async (providerAccountId, provider) => {
      const stored = await readOwned(store, ownedBy(store, { provider, providerAccountId }))
      return stored === null ? null : accountOf(stored)
    },
    listAccounts: async (userId) => {
      if ((await readUser(store, userId)) === null) return []
      return (await allOwned(store, "accounts", userId, await latestAccounts(store, userId))).map(accountOf)
    },
    updateAccount: (account) => updateAccount(store, account),
  }
}

/** The latest account of a user, which may be from `@auth/upstash-redis-adapter` and in no index. */
export async function latestAccounts({ records, layout }: Store, userId: string): Promise<readonly string[]> {
  const key = await records.readText(layout.latestAccount(userId))
  return key?.startsWith(layout.accountPrefix) ? [key] : []
}

async function linkAccount(store: Store, account: AdapterAccount): Promise<AdapterAccount> {
  const { records, layout } = store
  await requireUser(store, account.userId)
  const owned = ownedBy(store, account)
  const text = JSON.stringify({ ...account, id: idOf(account) })
  if (!(await insertOwned(store, owned, account.userId, text))) {
    throw new UniqueViolation("The account is already linked. Look up its user with getUserByAccount.")
  }
  await records.put(layout.latestAccount(account.userId), owned.key, "forever")
  return account
}

/** Keeps fields that aren't given, because some providers return a refresh token only at the first sign-in. */
async function updateAccount(store: Store, account: AdapterAccount): Promise<AdapterAccount | null> {
  const owned = ownedBy(store, account)
  const { userId: _, ...changes } = account
  const changed = await changeOwned(store, owned, ({ fields }) => ({ ...fields, ...given(changes) }))
  if (changed === null) return null
  // An account from `@auth/upstash-redis-adapter` isn't in the index yet.
  await listOwned(store, owned, textField(changed, "userId"))
  return accountOf(changed)
}

function ownedBy({ layout }: Store, account: AccountKey): Owned {
  return {
    key: layout.account(account),
    index: "accounts",
    isMeant: ({ fields }) =>
      fields["provider"] === account.provider && fields["providerAccountId"] === account.providerAccountId,
  }
}

function idOf({ provider, providerAccountId }: AccountKey): string {
  return `${provider}:${providerAccountId}`
}

/** Without the `id` that only the layout has. */
function accountOf(stored: Stored): AdapterAccount {
  const { id: _, ...account }: { readonly id?: unknown } = publicFields(stored)
  if (isAccount(account)) return account
  throw new Error("Redis has an account without a user. Check that no other application uses the same keys.")
}

function isAccount(account: object): account is AdapterAccount {
  return ["userId", "type", "provider", "providerAccountId"].every(
    (name) => typeof Reflect.get(account, name) === "string",
  )
}
