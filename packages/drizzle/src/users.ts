import type { AdapterUser, UserMethods } from "@latchkey/core/adapters"
import { eq, sql } from "drizzle-orm"
import { fromJson, toJson } from "./columns.js"
import { changeText } from "./change-text.js"
import type { Row } from "./database.js"
import { rowOf, split, userOf } from "./rows.js"
import { matching, uncached } from "./conditions.js"
import type { HasRecords } from "./records.js"
import type { Store } from "./store.js"
import { hasText, type Model } from "./tables.js"

export function userMethods(store: Store, hasRecords: HasRecords): UserMethods {
  const { users } = store.models
  const first = async (key: Row) => {
    const [row] = await store.find(users, key)
    return row ? userOf(row) : null
  }
  return {
    createUser: async (user) => userOf(await store.insert(users, newRow(store, user), ["id"])),
    getUser: (id) => first({ id }),
    getUserByEmail: (email) => first({ email }),
    getUserByAccount: (key) => userByAccount(store, key),
    updateUser: (user) => updateUser(store, user),
    deleteUser: async (id) => deleteUser(store, id, hasRecords),
  }
}

/** A default of the id's column decides, such as a serial number. */
function newRow({ models: { users }, dialect }: Store, user: AdapterUser): Row {
  const { id, ...fields } = user
  return hasOwnId(users, dialect) ? rowOf(users, fields) : rowOf(users, { ...fields, id })
}

function hasOwnId({ columns: { id } }: Model, dialect: Store["dialect"]): boolean {
  if (id === undefined) return false
  // MySQL returns the ids that it counted or that Drizzle made, but not those of an SQL default.
  const isCounted = Reflect.get(id, "autoIncrement") === true
  return dialect === "mysql" ? isCounted || id.defaultFn !== undefined : id.hasDefault
}

async function userByAccount(
  { db, dialect, models: { users, accounts }, read }: Store,
  key: Parameters<UserMethods["getUserByAccount"]>[0],
): Promise<AdapterUser | null> {
  const { provider, providerAccountId } = key
  const condition = matching(dialect, accounts.columns, { provider, providerAccountId })
  const { id } = users.columns
  const { userId } = accounts.columns
  if (condition === undefined || id === undefined || userId === undefined) return null
  const query = uncached(db.select(users.columns).from(accounts.table)).innerJoin(users.table, eq(id, userId))
  const [row] = await read(() => query.where(condition))
  return row ? userOf(row) : null
}

async function updateUser(store: Store, user: Parameters<UserMethods["updateUser"]>[0]): Promise<AdapterUser> {
  const { users } = store.models
  const { id, ...fields } = user
  const { columns, rest } = split(users, fields)
  if (hasText(users, "extra") && Object.keys(rest).length > 0) {
    await changeText(store, users, { id }, "extra", (before) => toJson({ ...fromJson(before), ...rest }))
  }
  // SQL doesn't allow an update without columns, and an identity can't be set.
  const row = await store.update(users, { id }, { email: sql`${users.columns["email"]}`, ...columns })
  if (row === undefined) throw new Error("There is no user with this id. Create the user first.")
  return userOf(row)
}

/** The other rows first, for tables whose foreign keys don't cascade, or aren't enforced. */
async function deleteUser(store: Store, id: string, hasRecords: HasRecords): Promise<AdapterUser | undefined> {
  const { accounts, sessions, authenticators, users, records } = store.models
  return store.transact(async (inside) => {
    for (const model of [accounts, ...[sessions, authenticators].filter(({ isGiven }) => isGiven)]) {
      await inside.remove(model, { userId: id })
    }
    const row = await inside.take(users, { id })
    // Last: without transactions, a failure must not leave a user without their second factor.
    if (records && (await hasRecords(inside))) await inside.remove(records, { owner: textOf(id) })
    return row && userOf(row)
  })
}

/** An id of a table of the application can be a number. */
function textOf(id: unknown): string {
  return String(id)
}
