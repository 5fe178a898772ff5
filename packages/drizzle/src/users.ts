import { type AdapterTable, type AdapterUser, entitiesIn, type UserMethods, userMethods } from "@latchkey/core/adapters"
import { eq, sql } from "drizzle-orm"
import type { Row } from "./database.js"
import { userOf } from "./rows.js"
import { matching, uncached } from "./conditions.js"
import type { HasRecords } from "./records.js"
import type { Store } from "./store.js"
import { tableIn } from "./application-table.js"
import type { Model } from "./tables.js"

export function methodsForUsers(store: Store, hasRecords: HasRecords): UserMethods {
  const { models, dialect } = store
  const users = usersIn(store)
  return {
    ...userMethods(users),
    // A default of the id's column decides, such as a serial number.
    createUser: ({ id, ...fields }) => users.insert(hasOwnId(models.users, dialect) ? fields : { ...fields, id }),
    getUserByAccount: (key) => userByAccount(store, key),
    deleteUser: async (id) => deleteUser(store, id, hasRecords),
  }
}

function usersIn(store: Store): AdapterTable<AdapterUser> {
  const { users } = store.models
  // SQL doesn't allow an update without columns, and an identity can't be set.
  const unchanged = { email: sql`${users.columns["email"]}` }
  const table = {
    ...tableIn(store, users, ["id"]),
    update: (key: Row, changes: Row) => store.update(users, key, { ...unchanged, ...changes }),
  }
  return entitiesIn(table, { decode: userOf, rest: "extra" })
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
