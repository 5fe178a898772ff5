import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { UniqueViolation } from "../unique-violation.js"
import { copyIn, copyOut } from "./copy.js"
import { pair, type Table, type Tables } from "./tables.js"

type UserMethods = Required<
  Pick<Adapter, "createUser" | "getUser" | "getUserByEmail" | "getUserByAccount" | "updateUser" | "deleteUser">
>

export function userMethods(tables: Tables): UserMethods {
  return {
    createUser: async (user) => {
      if (tables.users.get(user.id)) throw new UniqueViolation("users.id is taken: create the user with another id")
      claimEmail(tables.emails, user)
      const row = copyIn(user)
      tables.users.set(row.id, row)
      return copyOut(row)
    },
    getUser: async (id) => found(tables.users.get(id)),
    getUserByEmail: async (email) => found(tables.users.get(tables.emails.get(email) ?? "")),
    getUserByAccount: async ({ provider, providerAccountId }) => {
      const account = tables.accounts.get(pair(provider, providerAccountId))
      return account ? found(tables.users.get(account.userId)) : null
    },
    updateUser: async (changes) => {
      const before = tables.users.get(changes.id)
      if (!before) throw new Error("There is no user with this id: create the user before updating it")
      const after = { ...before, ...copyIn(changes) }
      if (after.email !== before.email) {
        claimEmail(tables.emails, after)
        tables.emails.delete(before.email)
      }
      tables.users.set(after.id, after)
      return copyOut(after)
    },
    deleteUser: async (id) => {
      const user = tables.users.get(id)
      if (!user) return null
      removeUser(tables, user)
      return copyOut(user)
    },
  }
}

/** Providers that tell no address are common: `null` is nobody's, however many have it. */
function claimEmail(emails: Table<string>, user: AdapterUser): void {
  if (typeof user.email !== "string") return
  if (emails.get(user.email) !== undefined) {
    throw new UniqueViolation("users.email is taken: look the user up by it and go on with that one")
  }
  emails.set(user.email, user.id)
}

function removeUser(tables: Tables, { id, email }: AdapterUser): void {
  for (const row of owned(tables.accounts, id)) tables.accounts.delete(pair(row.provider, row.providerAccountId))
  for (const row of owned(tables.sessions, id)) tables.sessions.delete(row.sessionToken)
  for (const row of owned(tables.authenticators, id)) tables.authenticators.delete(row.credentialID)
  if (typeof email === "string") tables.emails.delete(email)
  tables.users.delete(id)
}

/** The rows of one user. Walks the whole table: lists and removals are rare, session reads are not. */
export function owned<Row extends { userId: string }>(table: Table<Row>, userId: string): Row[] {
  return Array.from(table.values()).filter((row) => row.userId === userId)
}

export function found<Row extends object>(row: Row | undefined): Row | null {
  return row ? copyOut(row) : null
}

/** What a foreign key does in a database. */
export function demandUser(users: Table<AdapterUser>, userId: string): void {
  if (!users.get(userId)) throw new Error("There is no user with this userId: create the user first")
}
