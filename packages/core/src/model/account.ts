import type { Section } from "./module-content.js"
import type { SetCookie } from "./cookie.js"

/** A passkey, as its owner sees it. */
export interface PasskeySummary {
  /** For `renamePasskey` and `removePasskey`: the credential id, in base64. */
  readonly id: string
  readonly provider: string
  /** `undefined`: the user gave it no name, or the adapter stores none. */
  readonly name: string | undefined
  /** `undefined`: not known. */
  readonly createdAt: Date | undefined
  readonly lastUsedAt: Date | undefined
  /** It's synced between devices, for example by a password manager. */
  readonly isBackedUp: boolean
}

/** An account at a provider that is linked to the user. */
export interface LinkedAccount {
  readonly provider: string
  readonly providerAccountId: string
  /** The name of the provider. Its id if the configuration doesn't have it anymore. */
  readonly providerName: string
  /** `false`: it's the last way to sign in. */
  readonly isRemovable: boolean
}

/** A session of the user. */
export interface SessionSummary {
  /** For `revokeSession`: a keyed hash, which reveals nothing about the session token. */
  readonly id: string
  /** It's the session of this request. */
  readonly isCurrent: boolean
  /** Such as "Firefox". `undefined`: not known. */
  readonly browser: string | undefined
  /** Such as "Windows". `undefined`: not known. */
  readonly system: string | undefined
  /** Where the user signed in, such as "Berlin, Germany". `undefined`: not known; see `session.place`. */
  readonly place: string | undefined
  /** When the user signed in. `undefined`: not known. */
  readonly createdAt: Date | undefined
  /** When the session was last used, give or take an hour. `undefined`: not known. */
  readonly lastUsedAt: Date | undefined
  readonly expires: Date
}

/** A part of the account that this application can't offer. */
export interface Unavailable {
  readonly isAvailable: false
  /** The `type` of the error that the function throws. */
  readonly error: string
  /** What the operator of the site has to change. Not for users. */
  readonly reason: string
}

interface Available<T> {
  readonly isAvailable: true
  /** At most 100. */
  readonly items: readonly T[]
  /** There are more. */
  readonly hasMore: boolean
}

/** A part of the account, or why there is none. */
export type AccountPart<T> = Available<T> | Unavailable

/** What a user changes in their profile. A part that's missing stays, and `null` removes it. */
export interface ProfileChanges {
  /** At most 100 characters. A longer name is cut off. */
  readonly name?: string | null
  /** The URL of an image: `https`, at most 2048 characters, and not of a local network. */
  readonly image?: string | null
}

/** What the user can do. */
export interface AccountActions {
  /** The same reasons as those of `UnsupportedByAdapter`. `undefined`: it's possible. */
  readonly updateProfile: string | undefined
  readonly renamePasskey: string | undefined
  readonly removePasskey: string | undefined
  readonly unlinkAccount: string | undefined
  readonly revokeSession: string | undefined
  readonly revokeSessions: string | undefined
  readonly changeEmail: string | undefined
  readonly deleteAccount: string | undefined
}

/** What a module adds. */
export interface ModuleSection extends Section {
  /** The id of the module. */
  readonly module: string
}

/** Everything that the account page shows. */
export interface AccountOverview {
  /** In the order of the ids. @default none */
  readonly sections?: readonly ModuleSection[]
  readonly user: {
    readonly id: string
    readonly name: string | undefined
    readonly email: string | undefined
    readonly emailVerified: boolean
    readonly image: string | undefined
  }
  readonly passkeys: AccountPart<PasskeySummary>
  readonly accounts: AccountPart<LinkedAccount>
  readonly sessions: AccountPart<SessionSummary>
  /** OAuth and OpenID providers of the configuration, which the user can connect with `signIn(id, { link: true })`. */
  readonly connectable: readonly { readonly id: string; readonly name: string }[]
  /** Passkey providers of the configuration. */
  readonly passkeyProviders: readonly { readonly id: string; readonly name: string }[]
  /** Why an action isn't possible. */
  readonly unavailable: AccountActions
  /** The user signed in recently enough for actions that need it. */
  readonly isRecent: boolean
}

/** A request to change the email. The link in the message confirms it. */
export interface EmailChange {
  /** The new email, normalized. */
  readonly email: string
  /** Seconds until the link expires. */
  readonly expiresIn: number
}

export interface EmailConfirmation {
  /** The parameters `token` and `email` of the link. */
  readonly token: string
  readonly email: string
  /** Ends the user's other sessions. @default false */
  readonly revokeOtherSessions?: boolean | undefined
}

/**
 * The account of the signed-in user. Each function looks up the session of the request again, and changes nothing that belongs
 * to another user. Without a session it throws `SessionRequired`, without an adapter `MissingAdapter`.
 */
export interface UserAccount {
  overview(): Promise<AccountOverview>
  /**
   * Changes the name or the image. The session of this browser has them at once.
   *
   * @throws InvalidProfile if the image isn't a public `https` URL, or the `updateProfile` callback refuses; UnsupportedByAdapter
   */
  updateProfile(changes: ProfileChanges): Promise<void>
  /** @throws UnsupportedByAdapter */
  passkeys(): Promise<readonly PasskeySummary[]>
  /**
   * An empty name removes the name. A longer one than 64 characters is cut off.
   *
   * @returns `false` if the user has no such passkey
   * @throws UnsupportedByAdapter
   */
  renamePasskey(id: string, name: string): Promise<boolean>
  /**
   * @returns `false` if the user has no such passkey
   * @throws RecentSignInRequired, LastSignInMethod, PasskeyInUse or UnsupportedByAdapter
   */
  removePasskey(id: string): Promise<boolean>
  /**
   * The linked accounts of OAuth and OpenID providers.
   *
   * @throws UnsupportedByAdapter
   */
  accounts(): Promise<readonly LinkedAccount[]>
  /**
   * To link an account, call `signIn(provider, { link: true })`.
   *
   * @returns `false` if the user has no such account
   * @throws RecentSignInRequired, LastSignInMethod or UnsupportedByAdapter
   */
  unlinkAccount(account: { readonly provider: string; readonly providerAccountId: string }): Promise<boolean>
  /**
   * The sessions that haven't ended, the latest first, at most 100.
   *
   * @throws UnsupportedByAdapter, or UnsupportedStrategy if sessions are cookies that can't be revoked
   */
  sessions(): Promise<readonly SessionSummary[]>
  /**
   * Ends one session. It may be this one.
   *
   * @returns `false` if the user has no such session
   * @throws UnsupportedByAdapter or UnsupportedStrategy
   */
  revokeSession(id: string): Promise<boolean>
  /**
   * Ends every session but this one.
   *
   * @returns how many
   * @throws UnsupportedByAdapter or UnsupportedStrategy
   */
  revokeOtherSessions(): Promise<number>
  /**
   * Signs out everywhere, here too.
   *
   * @throws UnsupportedByAdapter or UnsupportedStrategy
   */
  revokeSessions(): Promise<void>
  /**
   * Sends a link to the new email. The email changes when the user opens the link. The result is the same if the email belongs
   * to another user.
   *
   * @throws RecentSignInRequired, RateLimited, EmailSignInError (not an email, or it couldn't be sent) or UnsupportedByAdapter
   */
  changeEmail(email: string): Promise<EmailChange>
  /**
   * Changes the email. Call it for a form, not for the link itself, which mail scanners open.
   *
   * @throws Verification if the link isn't valid, has expired or is for another user; AccountNotLinked if another user has the email
   */
  confirmEmail(confirmation: EmailConfirmation): Promise<void>
  /**
   * Deletes the user with everything that belongs to them, and signs out. Ask the user to confirm it first.
   *
   * @throws RecentSignInRequired or UnsupportedByAdapter
   */
  deleteAccount(): Promise<void>
}

/** {@link UserAccount} for integrations, which set the cookies themselves. */
export interface ServerAccount extends UserAccount {
  /** The cookies to set after the calls. Each call adds its own. */
  readonly cookies: readonly SetCookie[]
}

/** The functions of {@link UserAccount} that change nothing. */
export const readingFunctions: ReadonlySet<keyof UserAccount> = new Set([
  "overview",
  "passkeys",
  "accounts",
  "sessions",
])

/** The names of the functions of {@link UserAccount}. */
export const accountFunctions: readonly (keyof UserAccount)[] = [
  "overview",
  "updateProfile",
  "passkeys",
  "renamePasskey",
  "removePasskey",
  "accounts",
  "unlinkAccount",
  "sessions",
  "revokeSession",
  "revokeOtherSessions",
  "revokeSessions",
  "changeEmail",
  "confirmEmail",
  "deleteAccount",
]
