import type { Account, Awaitable, User } from "./user.js"

export interface AdapterUser extends User {
  id: string
  email: string
  /** When the address was proven; `null` while it was not. */
  emailVerified: Date | null
}

export type AdapterAccountType = Extract<Account["type"], "oauth" | "oidc" | "email" | "webauthn">

export interface AdapterAccount extends Account {
  userId: string
  type: AdapterAccountType
}

export interface AdapterSession {
  sessionToken: string
  userId: string
  expires: Date
}

export interface VerificationToken {
  identifier: string
  /** A hash; the token itself is only in the message. */
  token: string
  expires: Date
}

export interface AdapterAuthenticator {
  /** base64 */
  credentialID: string
  userId: string
  providerAccountId: string
  /** base64 */
  credentialPublicKey: string
  counter: number
  credentialDeviceType: string
  credentialBackedUp: boolean
  /** Comma-joined. */
  transports?: string | null
}

/**
 * Where users, accounts, sessions and tokens are kept (spec/adapter.md).
 *
 * The first group is the contract of Auth.js v5: every published `@auth/*-adapter` fits. The second group is
 * optional capabilities: found by their presence, used where they make a promise stronger.
 */
export interface Adapter {
  createUser?(user: AdapterUser): Awaitable<AdapterUser>
  getUser?(id: string): Awaitable<AdapterUser | null>
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>
  getUserByAccount?(account: Pick<AdapterAccount, "provider" | "providerAccountId">): Awaitable<AdapterUser | null>
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, "id">): Awaitable<AdapterUser>
  deleteUser?(userId: string): Awaitable<AdapterUser | null | undefined | void>
  linkAccount?(account: AdapterAccount): Awaitable<AdapterAccount | null | undefined | void>
  unlinkAccount?(
    account: Pick<AdapterAccount, "provider" | "providerAccountId">,
  ): Awaitable<AdapterAccount | null | undefined | void>
  createSession?(session: { sessionToken: string; userId: string; expires: Date }): Awaitable<AdapterSession>
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">,
  ): Awaitable<AdapterSession | null | undefined>
  deleteSession?(sessionToken: string): Awaitable<AdapterSession | null | undefined | void>
  createVerificationToken?(token: VerificationToken): Awaitable<VerificationToken | null | undefined>
  /** Must delete and return in one atomic step: of many parallel uses of one token exactly one may win. */
  useVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>
  updateAuthenticatorCounter?(credentialID: string, newCounter: number): Awaitable<AdapterAuthenticator>

  /** Every account of a user. Used to tell an orphan from an owner, and to reclaim an address. */
  listAccounts?(userId: string): Awaitable<AdapterAccount[]>
  /** Replaces the stored tokens of an account at each sign-in. */
  updateAccount?(account: AdapterAccount): Awaitable<AdapterAccount | null | undefined>
  /** Every session of a user; expired ones may be among them. */
  listSessions?(userId: string): Awaitable<AdapterSession[]>
  /** Ends every session of a user ("sign out everywhere"). */
  deleteSessions?(userId: string): Awaitable<void>
  /** Forgets every outstanding token of an identifier ("newest link only"). */
  deleteVerificationTokens?(identifier: string): Awaitable<void>
  /**
   * Runs `work` with an adapter whose writes become visible together or not at all.
   * Without it a failed sign-up is undone step by step.
   */
  transaction?<T>(work: (adapter: Adapter) => Promise<T>): Promise<T>
}
