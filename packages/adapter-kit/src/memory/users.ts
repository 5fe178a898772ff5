import {
  type AccountMethods,
  type AdapterAuthenticator,
  type AdapterUser,
  type AuthenticatorMethods,
  UniqueViolation,
  type UserMethods,
} from "@latchkey/core/adapters"
import { removeRecords } from "./records.js"
import { type Table, type Tables, copyIn, copyOut, pair } from "./tables.js"

export function userMethods(tables: Tables): UserMethods {
  return {
    createUser: async (user) => {
      if (tables.users.get(user.id)) throw new UniqueViolation("The user id is taken. Create the user with another id.")
      claimEmail(tables.emails, user)
      const row = copyIn(user)
      tables.users.set(row.id, row)
      return copyOut(row)
    },
    getUser: async (id) => copyOrNull(tables.users.get(id)),
    getUserByEmail: async (email) => copyOrNull(tables.users.get(tables.emails.get(email) ?? "")),
    getUserByAccount: async ({ provider, providerAccountId }) => {
      const account = tables.accounts.get(pair(provider, providerAccountId))
      return account ? copyOrNull(tables.users.get(account.userId)) : null
    },
    updateUser: async (changes) => {
      const before = tables.users.get(changes.id)
      if (!before) throw new Error("There is no user with this id. Create the user first.")
      // In a transaction, a row that is written replaces one that was changed meanwhile.
      if (Object.keys(changes).length === 1) return copyOut(before)
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

/** Any number of users can have no email, because many providers don't return one. */
function claimEmail(emails: Table<string>, user: AdapterUser): void {
  if (typeof user.email !== "string") return
  if (emails.get(user.email) !== undefined) {
    throw new UniqueViolation("The email is taken. Look up the user with getUserByEmail.")
  }
  emails.set(user.email, user.id)
}

function removeUser(tables: Tables, { id, email }: AdapterUser): void {
  for (const row of rowsOfUser(tables.accounts, id)) tables.accounts.delete(pair(row.provider, row.providerAccountId))
  for (const row of rowsOfUser(tables.sessions, id)) tables.sessions.delete(row.sessionToken)
  for (const row of rowsOfUser(tables.authenticators, id)) tables.authenticators.delete(row.credentialID)
  removeRecords(tables.records, id)
  if (typeof email === "string") tables.emails.delete(email)
  tables.users.delete(id)
}

/** The rows of one user. Scanning the table is fine, because lists and deletions are rare. */
export function rowsOfUser<Row extends { userId: string }>(table: Table<Row>, userId: string): Row[] {
  return Array.from(table.values()).filter((row) => row.userId === userId)
}

export function copyOrNull<Row extends object>(row: Row | undefined): Row | null {
  return row ? copyOut(row) : null
}

/** Acts as a foreign key. */
export function assertUser(users: Table<AdapterUser>, userId: string): void {
  if (!users.get(userId)) throw new Error("There is no user with this userId. Create the user first.")
}

export function accountMethods({ accounts, users }: Tables): AccountMethods {
  return {
    linkAccount: async (account) => {
      const key = pair(account.provider, account.providerAccountId)
      if (accounts.get(key))
        throw new UniqueViolation("The account is already linked. Look up its user with getUserByAccount.")
      assertUser(users, account.userId)
      const row = copyIn(account)
      accounts.set(key, row)
      return copyOut(row)
    },
    unlinkAccount: async ({ provider, providerAccountId }) => {
      const key = pair(provider, providerAccountId)
      const row = accounts.get(key)
      accounts.delete(key)
      return row && copyOut(row)
    },
    getAccount: async (providerAccountId, provider) => copyOrNull(accounts.get(pair(provider, providerAccountId))),
    listAccounts: async (userId) => rowsOfUser(accounts, userId).map(copyOut),
    updateAccount: async (account) => {
      const key = pair(account.provider, account.providerAccountId)
      const before = accounts.get(key)
      if (!before) return null
      const after = { ...before, ...copyIn(account), userId: before.userId }
      accounts.set(key, after)
      return copyOut(after)
    },
  }
}

export function authenticatorMethods({ authenticators, users }: Tables): AuthenticatorMethods {
  const update = (credentialID: string, changes: Partial<AdapterAuthenticator>): AdapterAuthenticator => {
    const before = authenticators.get(credentialID)
    if (!before) throw new Error("There is no passkey with this credentialID. Register it first.")
    const after = { ...before, ...changes }
    authenticators.set(credentialID, after)
    return copyOut(after)
  }
  return {
    createAuthenticator: async (authenticator) => {
      if (authenticators.get(authenticator.credentialID)) {
        throw new UniqueViolation("The passkey is already registered. Look it up with getAuthenticator.")
      }
      assertUser(users, authenticator.userId)
      const row = copyIn(authenticator)
      authenticators.set(row.credentialID, row)
      return copyOut(row)
    },
    getAuthenticator: async (credentialID) => copyOrNull(authenticators.get(credentialID)),
    listAuthenticatorsByUserId: async (userId) => rowsOfUser(authenticators, userId).map(copyOut),
    updateAuthenticator: async (credentialID, { counter, credentialBackedUp }) =>
      update(credentialID, { counter, credentialBackedUp }),
    updateAuthenticatorCounter: async (credentialID, counter) => update(credentialID, { counter }),
    deleteAuthenticator: async (credentialID) => {
      const row = authenticators.get(credentialID)
      authenticators.delete(credentialID)
      return row && copyOut(row)
    },
    describeAuthenticator: async (credentialID, details) => {
      const before = authenticators.get(credentialID)
      if (!before) return
      authenticators.set(credentialID, { ...before, details: { ...before.details, ...copyIn(details) } })
    },
  }
}
