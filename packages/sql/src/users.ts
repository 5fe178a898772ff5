import type { AdapterUser, StoredRecord, UserMethods } from "@latchkey/core/adapters"
import { sql } from "kysely"
import { canMatch, columnOf, condition, decoderOf, keysOf, keyParameters, selection } from "./rows.js"
import type { Store } from "./store.js"
import { createTable } from "./table.js"

export function userMethods(store: Store): UserMethods {
  const users = async () => (await store.tables()).users
  return {
    createUser: async (user) => (await users()).create(user, "id"),
    getUser: async (id) => first(await (await users()).find({ id })),
    getUserByEmail: async (email) => first(await (await users()).find({ email })),
    getUserByAccount: (account) => findByAccount(store, account),
    updateUser: async (user) => {
      const { id, ...changes } = user
      const changed = await (await users()).update({ id }, changes)
      if (!changed) throw new Error("There is no user with this id. Create the user first.")
      return changed
    },
    deleteUser: (id) => deleteUser(store, id),
  }
}

type AccountKey = Parameters<UserMethods["getUserByAccount"]>[0]

async function findByAccount(store: Store, { provider, providerAccountId }: AccountKey): Promise<AdapterUser | null> {
  const { users, accounts } = (await store.tables()).layout.tables
  const keys = keysOf(accounts, { provider, providerAccountId })
  if (!canMatch(keys)) return null
  const build = () => sql`select ${selection(users)} from ${sql.id(accounts.name)}
    inner join ${sql.id(users.name)} on ${columnOf(users, "id")} = ${columnOf(accounts, "userId")}
    where ${condition(keys, accounts, store.flavor)}`
  const query = store.statements.query("user of account", build, keyParameters(keys))
  const [row] = (await store.run(query, accounts)).rows
  // The layout has a column for each field of a user.
  return row === undefined ? null : (decoderOf(users)(Object(row)) as unknown as AdapterUser)
}

/** Deletes what the database keeps too: records, and sessions in a table without a foreign key. */
async function deleteUser(store: Store, id: string): Promise<AdapterUser | null> {
  const { users, layout } = await store.tables()
  const hasRecords = await store.records.exists(store)
  if (layout.orphans.length === 0 && !hasRecords) return first(await users.remove({ id }))
  return store.together(async (inside) => {
    for (const table of layout.orphans)
      await createTable<{ userId: string }>(inside, layout.tables[table]).clear({ userId: id })
    const user = first(await createTable<AdapterUser>(inside, users.map).remove({ id }))
    // Last: without transactions, a failure must not leave a user without their second factor.
    if (hasRecords) await createTable<StoredRecord>(inside, store.records.map).clear({ owner: ownerOf(id) })
    return user
  })
}

/** Tables of published adapters have ids that are numbers. */
function ownerOf(id: unknown): string {
  return String(id)
}

function first(found: readonly AdapterUser[]): AdapterUser | null {
  return found[0] ?? null
}
