import type { RateLimitStore } from "./limits.js"
import type { RecordStore } from "./records.js"
import type { Account, Awaitable, User } from "./user.js"

export interface AdapterUser extends User {
  id: string
  email: string
  /** When the user verified the email. `null` until then. */
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
  /** What `describeSession` stored. */
  details?: SessionDetails | null
}

/** What a user sees about a session, to recognize it. */
export interface SessionDetails {
  /** When the user signed in. */
  readonly createdAt?: Date | undefined
  readonly lastUsedAt?: Date | undefined
  /** Such as "Firefox". */
  readonly browser?: string | undefined
  /** Such as "Windows". */
  readonly system?: string | undefined
  /** Such as "Berlin, Germany". */
  readonly place?: string | undefined
}

/** The token of an email link. */
export interface VerificationToken {
  /** The normalized email. */
  identifier: string
  /** A hash. Only the email contains the token itself. */
  token: string
  expires: Date
}

/** A passkey of a user. */
export interface AdapterAuthenticator {
  /** Base64. */
  credentialID: string
  userId: string
  providerAccountId: string
  /** Base64. */
  credentialPublicKey: string
  counter: number
  credentialDeviceType: string
  credentialBackedUp: boolean
  /** Separated by commas. */
  transports?: string | null
  /** What `describeAuthenticator` stored. */
  details?: PasskeyDetails | null
}

/** What a user sees about a passkey, to recognize it. */
export interface PasskeyDetails {
  /** `null`: none. */
  readonly name?: string | null | undefined
  readonly createdAt?: Date | undefined
  readonly lastUsedAt?: Date | undefined
}

/**
 * Stores users, accounts, sessions and verification tokens. The first group of methods is the contract of Auth.js v5, so
 * every published `@auth/*-adapter` works. The second group is optional, and used if present. `docs/adapters.md` says
 * which methods a configuration needs.
 */
export interface Adapter {
  /** Stores a new user and returns it. The database may replace the id. */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>
  getUser?(id: string): Awaitable<AdapterUser | null>
  /** Emails must be compared exactly. */
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>
  /** Returns the user that the account is linked to. Account ids must be compared exactly. */
  getUserByAccount?(account: Pick<AdapterAccount, "provider" | "providerAccountId">): Awaitable<AdapterUser | null>
  /** Changes the given fields and returns the stored user. */
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, "id">): Awaitable<AdapterUser>
  /** Deletes a user, with their accounts and sessions. Undoes a sign-up that failed. */
  deleteUser?(userId: string): Awaitable<AdapterUser | null | undefined | void>
  linkAccount?(account: AdapterAccount): Awaitable<AdapterAccount | null | undefined | void>
  unlinkAccount?(
    account: Pick<AdapterAccount, "provider" | "providerAccountId">,
  ): Awaitable<AdapterAccount | null | undefined | void>
  createSession?(session: { sessionToken: string; userId: string; expires: Date }): Awaitable<AdapterSession>
  /** May return an expired session. */
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>
  /** Changes the given fields. Must not recreate a session that was deleted. */
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">,
  ): Awaitable<AdapterSession | null | undefined>
  deleteSession?(sessionToken: string): Awaitable<AdapterSession | null | undefined | void>
  createVerificationToken?(token: VerificationToken): Awaitable<VerificationToken | null | undefined>
  /** Finds and deletes the token in one atomic step, so that only one of several parallel calls gets it. */
  useVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>
  updateAuthenticatorCounter?(credentialID: string, newCounter: number): Awaitable<AdapterAuthenticator>

  /** Returns every account of a user. `security.reclaimMailbox` and the account page need it. */
  listAccounts?(userId: string): Awaitable<AdapterAccount[]>
  /** Replaces the stored tokens of an account. Called at each sign-in. */
  updateAccount?(account: AdapterAccount): Awaitable<AdapterAccount | null | undefined>
  /**
   * Stores the counter of a passkey, and whether it's backed up. Called at each sign-in with a passkey. Without it,
   * `updateAuthenticatorCounter` stores the counter only. Rejects an unknown credential id.
   */
  updateAuthenticator?(
    credentialID: string,
    changes: { counter: number; credentialBackedUp: boolean },
  ): Awaitable<AdapterAuthenticator>
  /** Deletes a passkey. Without it, a passkey is removed by unlinking its account. */
  deleteAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null | undefined | void>
  /**
   * Stores the given details of a passkey and keeps the others. `getAuthenticator` and `listAuthenticatorsByUserId` return them as
   * `details`. Must not recreate a passkey that was deleted.
   */
  describeAuthenticator?(credentialID: string, details: PasskeyDetails): Awaitable<unknown>
  /**
   * Stores the given details of a session and keeps the others. `getSessionAndUser` and `listSessions` return them as `details`.
   * Must not recreate a session that was deleted. Called after each sign-in, and at most once an hour while a session is used.
   */
  describeSession?(sessionToken: string, details: SessionDetails): Awaitable<unknown>
  /**
   * Returns the sessions of a user: every one, or with a `limit` at most that many, those that expire last. Expired ones may be
   * included.
   */
  listSessions?(userId: string, limit?: number): Awaitable<AdapterSession[]>
  /** Ends every session of a user ("sign out everywhere"). */
  deleteSessions?(userId: string): Awaitable<void>
  /** Reads a token without using it up, so that a link can say at once that it was used or has expired. */
  getVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>
  /** Deletes every unused token of an email. `security.newestEmailLinkOnly` needs it. */
  deleteVerificationTokens?(identifier: string): Awaitable<void>
  /** Counts sign-in attempts for all processes. The default for `rateLimit.store`. */
  readonly rateLimits?: RateLimitStore | undefined
  /** Where modules keep their data. The default for `records` of the configuration. `deleteUser` removes what the user owns. */
  readonly records?: RecordStore | undefined
  /**
   * Calls `work` with an adapter whose writes all succeed or all fail. After a conflict with another transaction, it may roll
   * back and call `work` again. Without it, a sign-up that fails halfway is undone step by step. `updateUser({ id })` in it must
   * make other transactions that do the same wait, as an update of a row does in SQL: that keeps two parallel requests from
   * removing a user's last two ways to sign in, and an account from being linked while its user is taken over by the owner of the
   * email. Reads in it see what is stored, not a replica that lags.
   */
  transaction?<T>(work: (adapter: Adapter) => Promise<T>): Promise<T>
}
