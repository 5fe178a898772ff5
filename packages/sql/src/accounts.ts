import type { Adapter, AdapterAccount } from "@latchkey/core/adapters"
import { fromJson, toJson } from "./codec.js"
import { accountColumns, type AccountRow } from "./schema.js"
import type { Store } from "./store.js"

type AccountMethods = Required<
  Pick<Adapter, "linkAccount" | "unlinkAccount" | "getAccount" | "listAccounts" | "updateAccount">
>

type AccountKey = Pick<AdapterAccount, "provider" | "providerAccountId">

export function accountMethods(store: Store): AccountMethods {
  const { db } = store
  const all = db.selectFrom("accounts").select(accountColumns)
  const find = (key: AccountKey) =>
    all.where("provider", "=", key.provider).where("provider_account_id", "=", key.providerAccountId)
  return {
    linkAccount: async (account) => {
      const { userId, type, provider, providerAccountId } = account
      const key = { provider, provider_account_id: providerAccountId }
      const row = { ...key, user_id: userId, type, extra: toJson(extraOf(account)) }
      await store.write(db.insertInto("accounts").values(row))
      return account
    },
    unlinkAccount: async (key) => {
      const query = db
        .deleteFrom("accounts")
        .where("provider", "=", key.provider)
        .where("provider_account_id", "=", key.providerAccountId)
        .returning(accountColumns)
      return (await store.write(query)).map(accountOf)[0]
    },
    getAccount: async (providerAccountId, provider) => {
      const [row] = await store.read(find({ provider, providerAccountId }))
      return row ? accountOf(row) : null
    },
    listAccounts: async (userId) => (await store.read(all.where("user_id", "=", userId))).map(accountOf),
    updateAccount: async (account) => store.transact((inside) => updateAccount(inside, account)),
  }
}

/** Keeps fields that aren't given, because some providers return a refresh token only at the first sign-in. */
async function updateAccount(store: Store, account: AdapterAccount): Promise<AdapterAccount | null> {
  const { db, codec } = store
  const before = db
    .selectFrom("accounts")
    .select(accountColumns)
    .where("provider", "=", account.provider)
    .where("provider_account_id", "=", account.providerAccountId)
  const [row] = await store.read(codec.locksRows ? before.forUpdate() : before)
  if (!row) return null
  const changes = { type: account.type, extra: toJson({ ...fromJson(row.extra), ...extraOf(account) }) }
  const query = db
    .updateTable("accounts")
    .set(changes)
    .where("provider", "=", account.provider)
    .where("provider_account_id", "=", account.providerAccountId)
  await store.write(query)
  return accountOf({ ...row, ...changes })
}

function extraOf(account: AdapterAccount): object {
  const { userId: _userId, type: _type, provider: _provider, providerAccountId: _id, ...extra } = account
  return extra
}

function accountOf({ user_id, type, provider, provider_account_id, extra }: AccountRow): AdapterAccount {
  return { ...fromJson(extra), userId: user_id, type, provider, providerAccountId: provider_account_id }
}
