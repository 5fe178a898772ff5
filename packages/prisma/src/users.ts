import { type AdapterTable, type AdapterUser, entitiesIn, type UserMethods, userMethods } from "@latchkey/core/adapters"
import type { Delegate, Row } from "./client.js"
import { isInvalid } from "./failures.js"
import { ownerOf, userOf } from "./rows.js"
import { type HasRecords, removeRecords } from "./records.js"
import type { Store } from "./store.js"
import { converted, tableIn } from "./application-table.js"

export function methodsForUsers(store: Store, hasRecords: HasRecords): UserMethods {
  const users = usersIn(store)
  return {
    ...userMethods(users),
    createUser: userCreator(store, users),
    getUserByAccount: (key) => userByAccount(store, key),
    deleteUser: async (id) => deleteUser(store, id, hasRecords),
  }
}

function usersIn(store: Store): AdapterTable<AdapterUser> {
  const { user: users } = store.models
  const table = {
    ...tableIn(store, users),
    // Prisma skips an update without fields, but in a transaction it has to lock the row.
    update: (key: Row, changes: Row) => {
      const isEmpty = Object.keys(changes).length === 0
      return store.update(users, key, isEmpty ? { id: converted(users, "id", key["id"]) } : changes)
    },
  }
  return entitiesIn(table, { decode: (row) => userOf(users, row), rest: "extra" })
}

/** Models whose id has no default. The client doesn't say which ones these are. */
const needsId = new WeakSet<Delegate["fields"]>()

/** A default of the id in the schema decides, such as `cuid()`. */
function userCreator({ models }: Store, users: AdapterTable<AdapterUser>): UserMethods["createUser"] {
  const { fields: columns } = models.user
  return async ({ id, ...fields }) => {
    if (!needsId.has(columns)) {
      try {
        return await users.insert(fields)
      } catch (error) {
        if (!isInvalid(error, "id")) throw error
        needsId.add(columns)
      }
    }
    return users.insert({ ...fields, id })
  }
}

async function userByAccount(
  { models: { account: accounts, user: users }, find }: Store,
  { provider, providerAccountId }: Parameters<UserMethods["getUserByAccount"]>[0],
): Promise<AdapterUser | null> {
  const [row] = await find(accounts, { provider, providerAccountId }, { include: { user: true } })
  const owner = ownerOf(row)
  return owner ? userOf(users, owner) : null
}

/** The other rows first, for schemas whose relations don't cascade. */
async function deleteUser(store: Store, id: string, hasRecords: HasRecords): Promise<AdapterUser | undefined> {
  const work = async (inside: Store) => {
    // The models of `store` would run their queries outside of the transaction.
    const { user: users, account, session, authenticator, record } = inside.models
    for (const model of [session, account, authenticator]) if (model) await inside.remove(model, { userId: id })
    const row = await inside.take(users, { id })
    // Last: without transactions, a failure must not leave a user without their second factor.
    if (record && hasRecords.isKnown) await removeRecords(inside, record, textOf(id))
    return row && userOf(users, row)
  }
  const { transact } = store
  if (!store.isInside) await hasRecords.ask()
  // PostgreSQL ends a transaction in which an id isn't one of its type.
  const isThere = transact && (await store.find(store.models.user, { id })).length > 0
  return isThere ? transact(work) : work(store)
}

/** An id of a table of the application can be a number. */
function textOf(id: unknown): string {
  return String(id)
}
