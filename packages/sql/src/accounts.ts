import type { AccountMethods, AdapterAccount } from "@latchkey/core/adapters"
import { sql } from "kysely"
import type { Layout } from "./layouts/table-map.js"
import type { Executor } from "./queries.js"
import { canMatch, columnOf, condition, keyParameters, keysOf } from "./rows.js"
import type { Store } from "./store.js"
import { createTable } from "./table.js"

export function accountMethods(store: Store): AccountMethods {
  const accounts = async () => (await store.tables()).accounts
  return {
    linkAccount: async (account) => {
      await link(store, account)
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

async function link(store: Store, account: AdapterAccount): Promise<void> {
  const { accounts, layout } = await store.tables()
  if (!layout.orphans.includes("accounts")) return accounts.add(account)
  await store.together(async (inside) => {
    await deleteOrphan(inside, layout.tables, account)
    await createTable<AdapterAccount>(inside, accounts.map).add(account)
  })
}

/**
 * Deletes the account if its user doesn't exist. Another program may have deleted the user without it, and it would keep its owner
 * from signing up again.
 */
async function deleteOrphan(
  executor: Executor,
  { users, accounts }: Layout["tables"],
  { provider, providerAccountId }: AdapterAccount,
): Promise<void> {
  const keys = keysOf(accounts, { provider, providerAccountId })
  if (!canMatch(keys)) return
  const build = () => sql`delete from ${sql.id(accounts.name)} where ${condition(keys, accounts, executor.flavor)}
    and not exists (select 1 from ${sql.id(users.name)} where ${columnOf(users, "id")} = ${columnOf(accounts, "userId")})`
  await executor.run(executor.statements.query("delete orphan", build, keyParameters(keys)), accounts)
}
