import type { AdapterUser, UserMethods } from "@latchkey/core/adapters"
import { changeText } from "./change-text.js"
import { type Delegate, type Fields, hasText, type Row } from "./client.js"
import { isInvalid } from "./failures.js"
import { ownerOf, rowOf, split, userOf } from "./rows.js"
import { type HasRecords, removeRecords } from "./records.js"
import type { Store } from "./store.js"
import { fromJson, toJson } from "./values.js"

export function userMethods(store: Store, hasRecords: HasRecords): UserMethods {
  const { user: users } = store.models
  const first = async (key: Row) => {
    const [row] = await store.find(users, key)
    return row ? userOf(users, row) : null
  }
  return {
    createUser: userCreator(store),
    getUser: (id) => first({ id }),
    getUserByEmail: (email) => first({ email }),
    getUserByAccount: (key) => userByAccount(store, key),
    updateUser: (user) => updateUser(store, user),
    deleteUser: async (id) => deleteUser(store, id, hasRecords),
  }
}

/** Models whose id has no default. The client doesn't say which ones these are. */
const needsId = new WeakSet<Delegate["fields"]>()

/** A default of the id in the schema decides, such as `cuid()`. */
function userCreator(store: Store): UserMethods["createUser"] {
  const { user: users } = store.models
  const create = async (fields: Fields) => userOf(users, await store.insert(users, fields))
  return async ({ id, ...fields }) => {
    const row = rowOf(users, fields)
    if (!needsId.has(users.fields)) {
      try {
        return await create(row)
      } catch (error) {
        if (!isInvalid(error, "id")) throw error
        needsId.add(users.fields)
      }
    }
    return create({ ...row, ...split(users, { id }).fields })
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

async function updateUser(store: Store, user: Parameters<UserMethods["updateUser"]>[0]): Promise<AdapterUser> {
  const { user: users } = store.models
  const { id, ...given } = user
  const { fields, rest } = split(users, given)
  if (hasText(users, "extra") && Object.keys(rest).length > 0) {
    await changeText(store, users, { id }, "extra", (before) => toJson({ ...fromJson(before), ...rest }))
  }
  // Prisma skips an update without fields, but in a transaction it has to lock the row.
  const changes = Object.keys(fields).length === 0 ? split(users, { id }).fields : fields
  const row = await store.update(users, { id }, changes)
  if (row === undefined) throw new Error("There is no user with this id. Create the user first.")
  return userOf(users, row)
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
