import type { AccountMethods, AdapterAccount } from "@latchkey/core/adapters"
import { accountOf, fieldsOf, given } from "./rows.js"
import { type Found, findRow, findUser, hintKey, insert, requirePlace, requireUser, type Store } from "./store.js"

type AccountKey = Pick<AdapterAccount, "provider" | "providerAccountId">

export function accountMethods(store: Store): AccountMethods {
  return {
    linkAccount: (account) =>
      store.lock([`user ${account.userId}`], () => store.lock([lockName(account)], () => linkAccount(store, account))),
    unlinkAccount: (account) => removeAccount(store, account),
    getAccount: async (providerAccountId, provider) =>
      (await findAccount(store, provider, providerAccountId)).row ?? null,
    listAccounts: (userId) => listAccounts(store, userId),
    updateAccount: (account) =>
      store.lock([lockName(account)], async () => {
        const { key, row } = await findAccount(store, account.provider, account.providerAccountId)
        if (row === undefined || key === undefined) return null
        const after = { ...row, ...given(account), userId: row.userId }
        return (await store.items.overwrite(key, withId(after))) ? after : null
      }),
  }
}

export async function findAccount(
  store: Store,
  provider: string,
  providerAccountId: string,
): Promise<Found<AdapterAccount>> {
  const key = [store.prefixes.accountKeyPrefix, provider, providerAccountId] as const
  return findRow(store, key, (value) => accountOf(value, provider, providerAccountId))
}

/** Reads all accounts, because `@auth/unstorage-adapter` doesn't store which ones belong to a user. */
export async function listAccounts(store: Store, userId: string): Promise<AdapterAccount[]> {
  const listed: AdapterAccount[] = []
  for await (const { value } of store.items.scan(store.prefixes.accountKeyPrefix)) {
    const { provider, providerAccountId } = fieldsOf(value) ?? {}
    const account = accountOf(value, String(provider), String(providerAccountId))
    if (account?.userId === userId) listed.push(account)
  }
  return listed
}

export function removeAccount(store: Store, account: AccountKey): Promise<AdapterAccount | undefined> {
  return store.lock([lockName(account)], async () => {
    const { key, row } = await findAccount(store, account.provider, account.providerAccountId)
    return key !== undefined && row !== undefined && (await store.items.remove(key)) ? row : undefined
  })
}

async function linkAccount(store: Store, account: AdapterAccount): Promise<AdapterAccount> {
  const { accountKeyPrefix, accountByUserIdPrefix } = store.prefixes
  requirePlace(accountKeyPrefix, account.provider, account.providerAccountId)
  await requireUser(store, account.userId)
  const found = await findAccount(store, account.provider, account.providerAccountId)
  const row = accountOf(withId(given(account)), account.provider, account.providerAccountId) ?? account
  const taken = "The account is already linked. Look up its user with getUserByAccount."
  if (found.key !== undefined && found.row && (await isOrphan(store, found.row))) {
    await store.items.write(found.key, withId(row))
  } else await insert(store, found.row ? {} : found, withId(row), taken)
  const hint = hintKey(accountByUserIdPrefix, account.userId)
  if (hint !== undefined && found.key !== undefined) await store.items.write(hint, found.key)
  return row
}

/** `@auth/unstorage-adapter` leaves all accounts but one behind when it deletes a user. */
async function isOrphan(store: Store, { userId }: AdapterAccount): Promise<boolean> {
  return (await findUser(store, userId)).row === undefined
}

/** `@auth/unstorage-adapter` stores an `id`, which isn't a field of an account. */
function withId(account: object): object {
  const { provider, providerAccountId } = { provider: "", providerAccountId: "", ...account }
  return { ...account, id: `${provider}:${providerAccountId}` }
}

function lockName({ provider, providerAccountId }: AccountKey): string {
  return `account ${JSON.stringify([provider, providerAccountId])}`
}
