import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from "../model/adapter.js"

/** What an adapter does with users. */
export type UserMethods = Required<
  Pick<Adapter, "createUser" | "getUser" | "getUserByEmail" | "getUserByAccount" | "updateUser" | "deleteUser">
>

/** What an adapter does with accounts. */
export type AccountMethods = Required<
  Pick<Adapter, "linkAccount" | "unlinkAccount" | "getAccount" | "listAccounts" | "updateAccount">
>

/** What an adapter does with sessions. */
export type SessionMethods = Required<
  Pick<
    Adapter,
    | "createSession"
    | "getSessionAndUser"
    | "updateSession"
    | "deleteSession"
    | "describeSession"
    | "listSessions"
    | "deleteSessions"
  >
>

/** What an adapter does with the tokens of email links. */
export type TokenMethods = Required<
  Pick<
    Adapter,
    "createVerificationToken" | "useVerificationToken" | "getVerificationToken" | "deleteVerificationTokens"
  >
>

/** What an adapter does with passkeys. */
export type AuthenticatorMethods = Required<
  Pick<
    Adapter,
    | "createAuthenticator"
    | "getAuthenticator"
    | "listAuthenticatorsByUserId"
    | "updateAuthenticator"
    | "updateAuthenticatorCounter"
    | "deleteAuthenticator"
    | "describeAuthenticator"
  >
>

/** The rows that expire last. */
export interface LastRows {
  readonly field: "expires"
  readonly limit: number
}

/** A table with the rows of an adapter. A `key` stands for the rows that have exactly these values. */
export interface AdapterTable<Entity> {
  /** Stores a row and returns it, with the values that the database added. */
  insert(fields: Partial<Entity>): Promise<Entity>
  find(key: Partial<Entity>, last?: LastRows): Promise<Entity[]>
  /** Changes the given fields of a row and returns it. `undefined`: there is none. */
  update(key: Partial<Entity>, changes: Partial<Entity>): Promise<Entity | undefined>
  /** Deletes a row and returns it. Of parallel calls, only one gets it. */
  take(key: Partial<Entity>): Promise<Entity | undefined>
  /** Deletes all rows with these values. */
  remove(key: Partial<Entity>): Promise<void>
  /** Merges details into those of a row, if there is one. `undefined`: the table has no column for them. */
  readonly describe?: ((key: Partial<Entity>, details: object) => Promise<void>) | undefined
}

/**
 * The methods that read and change a user. The others concern several tables.
 *
 * @example
 * ```ts
 * import { type AdapterTable, type AdapterUser, userMethods } from "@latchkey/core/adapters"
 * export const methods = (table: AdapterTable<AdapterUser>) => userMethods(table)
 * ```
 */
export function userMethods(
  table: AdapterTable<AdapterUser>,
): Pick<UserMethods, "getUser" | "getUserByEmail" | "updateUser"> {
  return {
    getUser: async (id) => (await table.find({ id }))[0] ?? null,
    getUserByEmail: async (email) => (await table.find({ email }))[0] ?? null,
    updateUser: async ({ id, ...changes }) => {
      const updated = await table.update({ id }, changes)
      if (updated === undefined) throw new Error("There is no user with this id. Create the user first.")
      return updated
    },
  }
}

/**
 * The methods for accounts.
 *
 * @example
 * ```ts
 * import { accountMethods, type AdapterAccount, type AdapterTable } from "@latchkey/core/adapters"
 * export const methods = (table: AdapterTable<AdapterAccount>) => accountMethods(table)
 * ```
 */
export function accountMethods(table: AdapterTable<AdapterAccount>): AccountMethods {
  return {
    linkAccount: (account) => table.insert(account),
    unlinkAccount: ({ provider, providerAccountId }) => table.take({ provider, providerAccountId }),
    getAccount: async (providerAccountId, provider) => (await table.find({ provider, providerAccountId }))[0] ?? null,
    listAccounts: (userId) => table.find({ userId }),
    updateAccount: async ({ userId: _owner, ...changes }) => {
      // Fields that aren't given are kept, because some providers return a refresh token only at the first sign-in.
      const { provider, providerAccountId } = changes
      return (await table.update({ provider, providerAccountId }, changes)) ?? null
    },
  }
}

/**
 * The methods for sessions, except for the one that reads a session with its user, which should be one query.
 *
 * @example
 * ```ts
 * import { type AdapterSession, type AdapterTable, sessionMethods } from "@latchkey/core/adapters"
 * export const methods = (table: AdapterTable<AdapterSession>) => sessionMethods(table)
 * ```
 */
export function sessionMethods(
  table: AdapterTable<AdapterSession>,
): Omit<SessionMethods, "getSessionAndUser" | "describeSession"> & Pick<Adapter, "describeSession"> {
  const { describe } = table
  return {
    createSession: ({ details: _details, ...session }: AdapterSession) => table.insert(session),
    updateSession: async ({ details: _details, ...session }) =>
      (await table.update({ sessionToken: session.sessionToken }, session)) ?? null,
    deleteSession: async (sessionToken) => (await table.take({ sessionToken })) ?? null,
    listSessions: (userId, limit) =>
      table.find({ userId }, limit === undefined ? undefined : { field: "expires", limit }),
    deleteSessions: (userId) => table.remove({ userId }),
    ...(describe && { describeSession: (sessionToken, details) => describe({ sessionToken }, details) }),
  }
}

/**
 * The methods for the tokens of email links.
 *
 * @example
 * ```ts
 * import { type AdapterTable, tokenMethods, type VerificationToken } from "@latchkey/core/adapters"
 * export const methods = (table: AdapterTable<VerificationToken>) => tokenMethods(table)
 * ```
 */
export function tokenMethods(table: AdapterTable<VerificationToken>): TokenMethods {
  return {
    createVerificationToken: ({ identifier, token, expires }) => table.insert({ identifier, token, expires }),
    useVerificationToken: async ({ identifier, token }) => (await table.take({ identifier, token })) ?? null,
    getVerificationToken: async ({ identifier, token }) => (await table.find({ identifier, token }))[0] ?? null,
    deleteVerificationTokens: (identifier) => table.remove({ identifier }),
  }
}

/**
 * The methods for passkeys.
 *
 * @example
 * ```ts
 * import { type AdapterAuthenticator, type AdapterTable, authenticatorMethods } from "@latchkey/core/adapters"
 * export const methods = (table: AdapterTable<AdapterAuthenticator>) => authenticatorMethods(table)
 * ```
 */
export function authenticatorMethods(
  table: AdapterTable<AdapterAuthenticator>,
): Omit<AuthenticatorMethods, "describeAuthenticator"> & Pick<Adapter, "describeAuthenticator"> {
  const { describe } = table
  const update = async (credentialID: string, changes: Partial<AdapterAuthenticator>) => {
    const updated = await table.update({ credentialID }, changes)
    if (updated === undefined) throw new Error("There is no passkey with this credentialID. Register it first.")
    return updated
  }
  return {
    createAuthenticator: ({ details: _details, ...passkey }) => table.insert(passkey),
    getAuthenticator: async (credentialID) => (await table.find({ credentialID }))[0] ?? null,
    listAuthenticatorsByUserId: (userId) => table.find({ userId }),
    updateAuthenticator: (credentialID, { counter, credentialBackedUp }) =>
      update(credentialID, { counter, credentialBackedUp }),
    updateAuthenticatorCounter: (credentialID, counter) => update(credentialID, { counter }),
    deleteAuthenticator: async (credentialID) => (await table.take({ credentialID })) ?? null,
    ...(describe && { describeAuthenticator: (credentialID, details) => describe({ credentialID }, details) }),
  }
}
