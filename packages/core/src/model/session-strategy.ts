import type { AdapterSession, AdapterUser, SessionDetails } from "./adapter.js"
import type { Cookie, CookieKey } from "./cookie.js"
import type { FlowCheck } from "./oauth-provider.js"
import type { JWT, Session, SessionUpdate } from "./session.js"
import type { Authentication } from "./step-up.js"
import type { Account, Awaitable, JsonObject, Profile, User } from "./user.js"
import type { Version4 } from "./version4.js"

/** Everything that differs between http and https: cookie names, flags and keys. */
export interface SchemeContext {
  readonly secure: boolean
  readonly cookies: Readonly<Record<CookieKey, Cookie>>
  /** Name and attributes of flow cookies, for a provider with which Auth.js v5 makes these checks. */
  flowCookie(authjsChecks: ReadonlySet<FlowCheck>): Cookie
  /** Session cookies of a less strict configuration. They are read and replaced, never set. */
  readonly formerSessionCookies: readonly Cookie[]
  /** Marks a browser that signed out under a `__Host-` name. `undefined`: no other name is accepted. */
  readonly endedCookie: Cookie | undefined
  /** `undefined`: sessions of next-auth 4 aren't accepted. */
  readonly version4: Version4 | undefined
  readonly sessions: SessionStrategy
  readonly sealer: TokenSealer
}

/** Seals and opens JSON. A token that was sealed for one purpose can't be opened for another. */
export interface TokenSealer {
  /** `maxAge` is in seconds. Adds `iat`, `exp` and `jti`. */
  seal(purpose: string, payload: TokenPayload, maxAge: number): Awaitable<string>
  /** @throws Error if none of the secrets sealed the token for this purpose, or if it has expired */
  open(purpose: string, token: string): Awaitable<OpenedToken>
}

export type TokenPayload = Record<string, unknown>

export interface OpenedToken {
  readonly payload: TokenPayload
  /** The JSON text that was sealed. */
  readonly text: string
  /** Sealed with an older secret or key derivation, so it should be sealed again. */
  readonly outdated: boolean
}

/** Where sessions are kept: sealed in the cookie, or in the database. */
export interface SessionStrategy {
  /**
   * `null`: forged, expired or revoked. Throws if the database can't be reached. `formerName`: the cookie name that the token
   * must have been issued for.
   */
  read(token: string, formerName?: string): Awaitable<LiveSession | null>
  /** Why `read` refused a token. `undefined`: it expired or was revoked, which isn't an error. */
  whyUnreadable(token: string, formerName?: string): Promise<string | undefined>
  /** Reads the cookie of next-auth 4. The session has to be issued anew. For `formerName` see `read`. */
  adopt(token: string, formerName?: string): Awaitable<LiveSession | null>
  /**
   * `null`: the `jwt` callback refused. The details are stored if the session has a row, and the adapter stores details.
   * `continued`: the session that this one replaces without another sign-in of its user, whose sign-in time it keeps.
   */
  start(identity: Identity, details?: SessionDetails, continued?: LiveSession): Promise<Issued | null>
  /** `readOnly`: the caller can't set cookies, so nothing is issued or written. */
  renew(live: LiveSession, update?: RequestedUpdate, readOnly?: boolean): Awaitable<Renewal>
  /** The result of the `session` callback. Modules haven't added to it yet. */
  present(live: LiveSession, update?: RequestedUpdate): Awaitable<Session>
  /** Returns the message of the `signOut` event. */
  end(live: LiveSession): Promise<SignOutMessage>
  /** Ends a session that couldn't be read. */
  revoke(token: string, formerName?: string): Promise<void>
  /** Short text that names the session of a token, whether it can be read or not. `undefined`: there is nothing to end. */
  handleOf(token: string, formerName?: string): Promise<string | undefined>
  /** The `sessionToken` of the row of a token that was just issued, or the token itself if its session has none. */
  keyOf(token: string): Promise<string>
  /** Ends the session that a handle names. */
  endHandle(handle: string): Promise<void>
  /** Ends the session of a row, by its key: see {@link LiveSession.row}. */
  endRow(key: string): Promise<void>
  /** Ends the sessions of a user that have no row in the database. */
  endAll(userId: string): Promise<void>
}

/** Who asked for an update: a browser, or code of the application on the server. */
export type UpdateSender = "browser" | "application"

/** An update of a session, with the data for the callbacks. */
export interface RequestedUpdate {
  readonly data: SessionUpdate | undefined
  readonly sender: UpdateSender
}

/** A session that was read and is valid. */
export interface LiveSession {
  /** The cookie value. */
  readonly token: string
  readonly userId: string | undefined
  /** When the session ends unless it is renewed, in milliseconds since 1970. */
  readonly expires: number
  /** When the user authenticated, if known, in milliseconds since 1970. */
  readonly authenticatedAt: number | undefined
  /** Came under a former cookie name or key, so it must be written again. */
  readonly outdated: boolean
  /** This server can't check the session, so it's never written again here. @default false */
  readonly isFixed?: true
  /** The time of this check goes into the cookie, because a server without the adapter waits for it. */
  readonly sealsCheck?: true
  /** When its row expires, in milliseconds since 1970. */
  readonly rowExpires?: number
  /** Its row in the database, if it has one. */
  readonly row?: {
    /** The `sessionToken` of the row. */
    readonly key: string
    /** `undefined`: the adapter stores none. */
    readonly details: SessionDetails | undefined
  }
  readonly content:
    | { readonly kind: "sealed"; readonly claims: JWT; readonly text: string }
    | { readonly kind: "stored"; readonly session: AdapterSession; readonly user: AdapterUser }
}

/** A session to write into the cookie. */
export interface Issued {
  readonly token: string
  readonly expires: Date
}

export type Renewal =
  | { readonly kind: "keep"; readonly live: LiveSession }
  | { readonly kind: "issue"; readonly live: LiveSession; readonly issued: Issued }
  | { readonly kind: "end" }

/**
 * Which sessions of the user end. `"this"`: that of this browser. `"others"`: all others, and the user stays signed in. `"all"`: every
 * session. The last two need sessions with rows in the database, and an adapter that can list and delete them. `"federated"`: that of
 * this browser, and then the one at the OpenID provider, which needs `logout()` of `@latchkey/logout` in `modules`.
 */
export type SignOutScope = "this" | "others" | "all" | "federated"

export interface SignOutOptions {
  /** Where the user goes afterwards. @default the page that the request came from, if it's one of this site, else "/" */
  readonly redirectTo?: string | undefined
  /** Which sessions end. @default "this" */
  readonly scope?: SignOutScope | undefined
}

export type SignOutMessage = { readonly token: JWT } | { readonly session: AdapterSession }

/** The user that a session is for. */
export interface Identity {
  readonly user: User & { readonly id: string }
  readonly account: Account
  readonly profile: Profile | undefined
  /** `undefined` without an adapter. */
  readonly isNewUser: boolean | undefined
  /** What the application passed to `signIn`. */
  readonly state?: JsonObject
  /** Set with `session.stepUp`. */
  readonly authentication?: Authentication | undefined
}
