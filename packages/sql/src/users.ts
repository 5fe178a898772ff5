import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { fromJson, toDate, toJson } from "./codec.js"
import { userColumns, type UserRow } from "./schema.js"
import type { Store } from "./store.js"

type UserMethods = Required<
  Pick<Adapter, "createUser" | "getUser" | "getUserByEmail" | "getUserByAccount" | "updateUser" | "deleteUser">
>

export function userMethods(store: Store): UserMethods {
  const { db } = store
  const find = (column: "id" | "email", value: string) =>
    store.read(db.selectFrom("users").select(userColumns).where(column, "=", value))
  return {
    createUser: async (user) => {
      const { id, email } = user
      const row = { ...columnsOf(store, user), id, email, extra: toJson(extraOf(user)) }
      return requireUser(await store.write(db.insertInto("users").values(row).returning(userColumns)))
    },
    getUser: async (id) => firstUser(await find("id", id)),
    getUserByEmail: async (email) => firstUser(await find("email", email)),
    getUserByAccount: async ({ provider, providerAccountId }) => {
      const query = db
        .selectFrom("accounts")
        .innerJoin("users", "users.id", "accounts.user_id")
        .select(userColumns)
        .where("accounts.provider", "=", provider)
        .where("accounts.provider_account_id", "=", providerAccountId)
      return firstUser(await store.read(query))
    },
    updateUser: (user) => updateUser(store, user),
    deleteUser: async (id) =>
      firstUser(await store.write(db.deleteFrom("users").where("id", "=", id).returning(userColumns))),
  }
}

export function userOf(row: UserRow): AdapterUser {
  const { id, name, email, image, email_verified } = row
  return {
    ...fromJson(row.extra),
    id,
    name,
    email,
    emailVerified: email_verified === null ? null : toDate(email_verified),
    image,
  }
}

type UserChanges = Parameters<UserMethods["updateUser"]>[0]

/** Needs a transaction only to merge fields without a column into the stored ones. */
async function updateUser(store: Store, user: UserChanges): Promise<AdapterUser> {
  const columns = columnsOf(store, user)
  const extra = extraOf(user)
  if (Object.keys(extra).length === 0) return change(store, user.id, columns)
  return store.transact(async (inside) =>
    change(inside, user.id, { ...columns, extra: await mergeExtra(inside, user.id, extra) }),
  )
}

async function change({ db, write }: Store, id: string, columns: Partial<UserRow>): Promise<AdapterUser> {
  // Sets the id too, because SQL doesn't allow an update without columns.
  const query = db
    .updateTable("users")
    .set({ ...columns, id })
    .where("id", "=", id)
    .returning(userColumns)
  return requireUser(await write(query))
}

async function mergeExtra({ db, codec, read }: Store, id: string, extra: object): Promise<string> {
  const query = db.selectFrom("users").select("extra").where("id", "=", id)
  // Without the lock, parallel updates could lose each other's fields.
  const [row] = await read(codec.locksRows ? query.forUpdate() : query)
  return toJson({ ...(row && fromJson(row.extra)), ...extra })
}

/** The given columns, except for the id. */
function columnsOf({ codec }: Store, user: Partial<AdapterUser>): Partial<UserRow> {
  const { email, emailVerified, name, image } = user
  return {
    ...(email !== undefined && { email }),
    ...(emailVerified !== undefined && { email_verified: emailVerified && codec.instant(emailVerified) }),
    ...(name !== undefined && { name }),
    ...(image !== undefined && { image }),
  }
}

function extraOf(user: Partial<AdapterUser>): object {
  const { id: _id, email: _email, emailVerified: _emailVerified, name: _name, image: _image, ...extra } = user
  return extra
}

function firstUser([row]: readonly UserRow[]): AdapterUser | null {
  return row ? userOf(row) : null
}

function requireUser([row]: readonly UserRow[]): AdapterUser {
  if (!row) throw new Error("There is no user with this id. Create the user first.")
  return userOf(row)
}
