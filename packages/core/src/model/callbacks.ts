import type { AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser } from "./adapter.js"
import type { ProfileChanges } from "./account.js"
import type { SecurityEvent } from "./security-event.js"
import type { JWT, ReceivedUpdate, Session } from "./session.js"
import type { Account, Awaitable, JsonObject, Profile, User } from "./user.js"

/**
 * Argument of the `jwt` callback. `trigger` tells the cases apart: `user`, `account` and `profile` come with a sign-in,
 * `session` with an update. A read has only `token`.
 */
export type JwtCallbackParams = { token: JWT; request?: Request } & (
  | {
      trigger: "signIn" | "signUp"
      user: User | AdapterUser
      account?: Account | null
      profile?: Profile
      /** @deprecated use `trigger` */
      isNewUser?: boolean
      /** What the application passed to `signIn` of an OAuth provider. A browser can send anything: check it. */
      state?: JsonObject
      session?: never
    }
  | {
      trigger: "update"
      /** From a browser, or from `unstable_update`. Check the values: only the fields that identify the user are. */
      session: ReceivedUpdate
      user?: never
      account?: never
      profile?: never
      isNewUser?: never
      state?: never
    }
  | {
      /** The session is read. */
      trigger?: never
      session?: never
      user?: never
      account?: never
      profile?: never
      isNewUser?: never
      state?: never
    }
)

/** The session that the `session` callback gets. With database sessions it also has what the database stores. */
export type PresentSession = Session & {
  user: NonNullable<Session["user"]> & { emailVerified?: Date | null }
  userId?: string
  /** Not enumerable, so a copy such as `{ ...session }` doesn't contain it. */
  sessionToken?: string
}

/** Argument of the `session` callback. `newSession` comes with an update. */
export type SessionCallbackParams<T extends JWT = JWT> = {
  session: PresentSession
  /** What the `jwt` callback returned. Only with strategy `"jwt"`. */
  token: T
  /** The stored user. Only with strategy `"database"`. */
  user: AdapterUser
  request?: Request
} & (
  | {
      trigger: "update"
      /** From a browser, or from `unstable_update`. Check the values: only the fields that identify the user are. */
      newSession: ReceivedUpdate
    }
  | { trigger?: never; newSession?: never }
)

/** Columns of the user that the `signUp` callback sets. What was proven decides the id and the email, so these are ignored. */
export type NewUserFields = Partial<Omit<AdapterUser, "id" | "email" | "emailVerified">>

/** Functions that decide what the engine does. `T` and `S` are inferred from their results. */
export interface CallbacksOptions<T extends JWT = JWT, S = Session> {
  /**
   * Decides whether the user may sign in. A string also refuses, and redirects to that URL, which may be on another site.
   * Under `security: "strict"`, or if you set a `redirect` callback, that callback gets the URL first. @default `true`
   */
  signIn?(params: {
    user: User | AdapterUser
    account?: Account | null
    profile?: Profile
    /** `verificationRequest`: the user asks for an email link and hasn't opened it yet. */
    email?: { verificationRequest?: boolean }
    credentials?: Readonly<Record<string, unknown>>
    /** Whether the provider says that the email is verified. */
    emailVerified?: boolean
    /** What the application passed to `signIn` of an OAuth provider. A browser can send anything: check it. */
    state?: JsonObject
    request?: Request
  }): Awaitable<boolean | string>
  /**
   * Decides whether a new user may be created, in every way to sign in, and what is stored with them. It runs once, when everything
   * else has agreed. It also runs if the visitor hasn't proven an email that another user has, so that a refusal doesn't tell about
   * that user. @default `true`
   */
  signUp?(params: {
    /** As it would be stored. The adapter may choose another id. */
    user: User | AdapterUser
    account?: Account | null
    profile?: Profile
    /** What the visitor typed into the form of a module, such as `fields` of `password`. */
    fields?: Readonly<Record<string, string>>
    /** Whether the provider says that the email is verified. */
    emailVerified?: boolean
    /** What the application passed to `signIn` of an OAuth provider. A browser can send anything: check it. */
    state?: JsonObject
    request?: Request
  }): Awaitable<boolean | NewUserFields>
  /**
   * Returns the URL to redirect to at the end of a flow.
   * @default `url` if it has the origin of `baseUrl`, else `baseUrl`
   */
  redirect?(params: { url: string; baseUrl: string }): Awaitable<string>
  /**
   * Returns the claims of a sealed session. `null` ends the session. Called at each sign-in, read and update, but never
   * with database sessions. @default the claims unchanged
   */
  jwt?(params: JwtCallbackParams): Awaitable<T | null>
  /** Returns the session that the server and the browser see. @default name, email, image and `expires` */
  session?(params: SessionCallbackParams<T>): Awaitable<S>
  /**
   * Decides what a user may change on the account page. Returns the changes to store, or `false` to refuse all of them. Set
   * `false` in place of a function if users can't change their name and image at all. @default the changes
   *
   * @example
   * ```ts
   * import type { AuthConfig } from "@latchkey/core"
   * export const callbacks: AuthConfig["callbacks"] = {
   *   updateProfile: ({ changes }) => !/admin/i.test(changes.name ?? "") && changes,
   * }
   * ```
   */
  updateProfile?: UpdateProfile | false
}

/** Argument of the `updateProfile` callback. */
export interface UpdateProfileParams {
  /** As stored until now. */
  user: AdapterUser
  /** Only what changes. */
  changes: ProfileChanges
  request?: Request
}

type UpdateProfile = (params: UpdateProfileParams) => Awaitable<ProfileChanges | boolean>

/**
 * Functions that are called when something has happened. An error that one throws is logged and ignored. A response waits
 * up to three seconds for them, unless `waitUntil` is set.
 */
export interface EventCallbacks {
  /** A user has signed in. */
  signIn?(message: {
    user: User
    account?: Account | null
    profile?: Profile
    isNewUser?: boolean
    /** What the application passed to `signIn` of an OAuth provider. A browser can send anything. */
    state?: JsonObject
    request?: Request
  }): Awaitable<void>
  /**
   * A session has ended. With strategy `"jwt"` the message has `token`, otherwise `session`. `reason`: why, if the user didn't just sign
   * out of this browser: `"all"` and `"federated"` are scopes of `signOut`, and a module has its own, such as `"backchannel-logout"`.
   */
  signOut?(
    message:
      | { session: AdapterSession | null | undefined; reason?: string; request?: Request }
      | { token: JWT | null; reason?: string; request?: Request },
  ): Awaitable<void>
  /** A user has been created in the database. */
  createUser?(message: { user: User; request?: Request }): Awaitable<void>
  /** A user has verified their email. */
  updateUser?(message: { user: User; request?: Request }): Awaitable<void>
  /** A user has changed their name or image. `user` has the new ones. */
  updateProfile?(message: { user: AdapterUser; changes: ProfileChanges; request?: Request }): Awaitable<void>
  /** An account has been linked to a user. */
  linkAccount?(message: {
    user: User | AdapterUser
    account: Account
    /** The result of the provider's `profile` callback. */
    profile: User | AdapterUser
    request?: Request
  }): Awaitable<void>
  /** A user has disconnected an account. */
  unlinkAccount?(message: { user: AdapterUser; account: AdapterAccount; request?: Request }): Awaitable<void>
  /** A user has removed a passkey. */
  removePasskey?(message: { user: AdapterUser; passkey: AdapterAuthenticator; request?: Request }): Awaitable<void>
  /** A user has given a passkey another name. */
  renamePasskey?(message: {
    user: AdapterUser
    passkey: AdapterAuthenticator
    name: string | null
    request?: Request
  }): Awaitable<void>
  /** A user has ended sessions: one, all but this one, or all. `count` is `undefined` if the adapter doesn't tell. */
  revokeSessions?(message: {
    user: AdapterUser
    scope: "one" | "others" | "all"
    count: number | undefined
    request?: Request
  }): Awaitable<void>
  /** A user has asked for another email, and got a link to confirm it. */
  requestEmailChange?(message: { user: AdapterUser; email: string; request?: Request }): Awaitable<void>
  /** A user has confirmed their new email. `user` has it. */
  changeEmail?(message: { user: AdapterUser; formerEmail: string | null; request?: Request }): Awaitable<void>
  /** A user has deleted their account. */
  deleteUser?(message: { user: AdapterUser; request?: Request }): Awaitable<void>
  /** A session has been read or updated. */
  session?(message: { session: Session; token?: JWT; request?: Request }): Awaitable<void>
  /** A sign-in has failed. Useful for audit logs. */
  signInFailure?(message: { error: Error; provider: string | undefined; request?: Request }): Awaitable<void>
  /** Something happened that matters for security, or was refused. One format for an audit log. */
  security?(event: SecurityEvent): Awaitable<void>
}
