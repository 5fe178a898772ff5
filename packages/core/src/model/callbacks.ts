import type { AdapterSession, AdapterUser } from "./adapter.js"
import type { JWT, ReceivedUpdate, Session } from "./session.js"
import type { Account, Awaitable, Profile, User } from "./user.js"

/**
 * What the `jwt` callback is told. `trigger` says which of the others there are, and so do `account`, `user` and `profile`:
 * they come with a sign-in only, `session` with an update.
 */
export type JwtCallbackParams = { token: JWT; request?: Request } & (
  | {
      trigger: "signIn" | "signUp"
      user: User | AdapterUser
      account?: Account | null
      profile?: Profile
      /** @deprecated use `trigger` */
      isNewUser?: boolean
      session?: never
    }
  | {
      trigger: "update"
      /** What the client sent, unchecked. */
      session: ReceivedUpdate
      user?: never
      account?: never
      profile?: never
      isNewUser?: never
    }
  | {
      /** The session is read. */
      trigger?: never
      session?: never
      user?: never
      account?: never
      profile?: never
      isNewUser?: never
    }
)

/** A session as the `session` callback gets it; strategy `database` adds what only the store knows. */
export type PresentSession = Session & {
  user: NonNullable<Session["user"]> & { emailVerified?: Date | null }
  userId?: string
  /** Not enumerable: it does not get into a copy. */
  sessionToken?: string
}

/** What the `session` callback is told; `newSession` comes with an update only. */
export type SessionCallbackParams<T extends JWT = JWT> = {
  session: PresentSession
  /** Strategy `jwt` only. */
  token: T
  /** Strategy `database` only. */
  user: AdapterUser
  request?: Request
} & (
  | {
      trigger: "update"
      /** What the client sent, unchecked. */
      newSession: ReceivedUpdate
    }
  | { trigger?: never; newSession?: never }
)

/** Callbacks decide; see spec/callbacks-events.md. `T` and `S` are inferred from what they return. */
export interface CallbacksOptions<T extends JWT = JWT, S = Session> {
  /** May this person sign in? A string refuses and redirects there. @default `true` */
  signIn?(params: {
    user: User | AdapterUser
    account?: Account | null
    profile?: Profile
    email?: { verificationRequest?: boolean }
    credentials?: Readonly<Record<string, unknown>>
    /** Whether the provider vouches for the address of the profile. */
    emailVerified?: boolean
    request?: Request
  }): Awaitable<boolean | string>
  /** Where may a redirect lead? @default the same origin only */
  redirect?(params: { url: string; baseUrl: string }): Awaitable<string>
  /** The claims of a sealed session. `null` ends it. @default unchanged */
  jwt?(params: JwtCallbackParams): Awaitable<T | null>
  /** What `session` and the client see. @default name, e-mail address and image */
  session?(params: SessionCallbackParams<T>): Awaitable<S>
}

/** Events tell; what a handler throws is logged and ignored. */
export interface EventCallbacks {
  signIn?(message: {
    user: User
    account?: Account | null
    profile?: Profile
    isNewUser?: boolean
    request?: Request
  }): Awaitable<void>
  signOut?(
    message:
      | { session: AdapterSession | null | undefined; request?: Request }
      | { token: JWT | null; request?: Request },
  ): Awaitable<void>
  createUser?(message: { user: User; request?: Request }): Awaitable<void>
  updateUser?(message: { user: User; request?: Request }): Awaitable<void>
  linkAccount?(message: {
    user: User | AdapterUser
    account: Account
    /** The user as the provider describes them. */
    profile: User | AdapterUser
    request?: Request
  }): Awaitable<void>
  session?(message: { session: Session; token?: JWT; request?: Request }): Awaitable<void>
  /** A sign-in that did not succeed; for audit logs. */
  signInFailure?(message: { error: Error; provider: string | undefined; request?: Request }): Awaitable<void>
}
