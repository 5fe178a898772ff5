import type { Logger } from "../observability/logger.js"
import type { Runtime } from "../primitives/runtime.js"
import type { TokenSealer } from "../crypto/token-sealer.js"
import type { Adapter, AdapterSession, AdapterUser } from "./adapter.js"
import type { CallbacksOptions, EventCallbacks } from "./callbacks.js"
import type { AuthConfig, PagesOptions, SecurityOptions, Theme } from "./config.js"
import type { Cookie, CookieKey } from "./cookie.js"
import type { Module } from "./module.js"
import type { ResolvedProvider } from "./resolved-provider.js"
import type { JWT, Session, SessionUpdate } from "./session.js"
import type { Identity } from "./signin.js"
import type { Awaitable } from "./user.js"

/** What the developer decided: compiled once from a configuration, frozen. */
export interface AuthContext extends SessionContext {
  readonly providers: ReadonlyMap<string, ResolvedProvider>
}

/** The part of it that sessions need: all but the ways to sign in. */
export interface SessionContext {
  readonly config: AuthConfig
  /** `/auth`: a leading slash, no trailing one; empty for the root. */
  readonly basePath: string
  /** Scheme and host of `config.url`. */
  readonly origin: string | undefined
  /** Newest first; never empty. */
  readonly secrets: readonly string[]
  readonly http: SchemeContext
  readonly https: SchemeContext
  readonly strategy: "jwt" | "database"
  readonly lifetime: Lifetime
  readonly callbacks: Callbacks
  readonly events: Required<EventCallbacks>
  /** Wrapped: `this` kept, faults are `AdapterError`s. */
  readonly adapter: Adapter | undefined
  readonly pages: PagesOptions
  readonly theme: Theme
  readonly modules: readonly Module[]
  readonly security: Security
  readonly logger: Logger
  readonly runtime: Runtime
  readonly development: boolean
}

export type Security = { readonly [option in keyof SecurityOptions]-?: NonNullable<SecurityOptions[option]> }

/** Seconds. */
export interface Lifetime {
  readonly maxAge: number
  readonly updateAge: number
  readonly jwtMaxAge: number
  readonly absoluteMaxAge: number | undefined
}

export type Callbacks = {
  readonly [name in "signIn" | "redirect"]: NonNullable<CallbacksOptions[name]>
} & {
  /** `undefined`: the default, so that the hot path need not look for changes. */
  readonly jwt: CallbacksOptions["jwt"] | undefined
  readonly session: CallbacksOptions["session"] | undefined
}

/** What depends on whether the site is served over https: names, flags, keys. */
export interface SchemeContext {
  readonly secure: boolean
  readonly cookies: Readonly<Record<CookieKey, Cookie>>
  /** Other names that the session cookie may still have; read, rewritten, never set. */
  readonly formerSessionCookies: readonly Cookie[]
  readonly sessions: SessionStrategy
  readonly sealer: TokenSealer
}

/** A session that was read and found alive. */
export interface LiveSession {
  /** The cookie value. */
  readonly token: string
  readonly userId: string | undefined
  /** Milliseconds since 1970 at which it ends unless renewed. */
  readonly expires: number
  /** Milliseconds since 1970 of the authentication, if known. */
  readonly authenticatedAt: number | undefined
  /** Came under a former name or key: write it again under the present one. */
  readonly outdated: boolean
  readonly content:
    | { readonly kind: "sealed"; readonly claims: JWT; readonly text: string }
    | { readonly kind: "stored"; readonly session: AdapterSession; readonly user: AdapterUser }
}

/** A session to be given to the browser. */
export interface Issued {
  readonly token: string
  readonly expires: Date
}

export type Renewal =
  | { readonly kind: "keep"; readonly live: LiveSession }
  | { readonly kind: "issue"; readonly live: LiveSession; readonly issued: Issued }
  | { readonly kind: "end" }

/** Where a session lives. One implementation for each strategy; nobody else asks which. */
export interface SessionStrategy {
  /** `null`: forged, expired or revoked. Throws when the store is out of reach. */
  read(token: string): Awaitable<LiveSession | null>
  /** `null`: the `jwt` callback refused. */
  start(identity: Identity): Promise<Issued | null>
  /** `readOnly`: for a caller that cannot set cookies; nothing is issued or written to the store. */
  renew(
    live: LiveSession,
    update?: { readonly data: SessionUpdate | undefined },
    readOnly?: boolean,
  ): Awaitable<Renewal>
  /** Before callbacks of modules: what the `session` callback made of it. */
  present(live: LiveSession, update?: { readonly data: SessionUpdate | undefined }): Awaitable<Session>
  /** What the `signOut` event is told. */
  end(live: LiveSession): Promise<SignOutMessage>
  /** Ends what a token names without reading it: for when reading failed. */
  revoke(token: string): Promise<void>
}

export type SignOutMessage = { readonly token: JWT } | { readonly session: AdapterSession }
