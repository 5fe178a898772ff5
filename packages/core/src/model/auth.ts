import type { Assertions } from "./assertions.js"
import type { I18nOptions } from "../i18n/options.js"
import type { Runtime } from "../primitives/runtime.js"
import type { OfSite } from "../primitives/state.js"
import type { Adapter } from "./adapter.js"
import type { Audit } from "./audit.js"
import type { Captcha } from "./captcha.js"
import type { CallbacksOptions, EventCallbacks } from "./callbacks.js"
import type { OpenIdProvider } from "../module-kit/context.js"
import type { Module } from "../module-kit/model.js"
import type { SetCookie } from "./cookie.js"
import type { AuthRequest, AuthResult, SessionRequest } from "./http.js"
import type { RateLimitOptions } from "./limits.js"
import type { RecordStore } from "./records.js"
import type { Features } from "./features.js"
import type { Logger } from "./logger.js"
import type { PagesOptions, Theme } from "./pages.js"
import type { Rules, Security } from "./security.js"
import type { SchemeContext } from "./session-strategy.js"
import type { ProofSteps } from "./proof-steps.js"
import type { Proof, ResolvedProvider } from "./signin.js"
import type { Vault } from "./vault.js"
import type { Awaitable } from "./user.js"

/** The compiled configuration. Frozen. */
export interface AuthContext extends SessionContext {
  readonly providers: ReadonlyMap<string, ProviderWithMethod>
  readonly features: Features<AuthContext>
  /** `undefined`: the changes are stored as they are. */
  readonly updateProfile: CallbacksOptions["updateProfile"]
  /** `undefined`: no session has a place. */
  readonly place: ((request: Request) => Awaitable<string | undefined>) | undefined
}

export type ProviderWithMethod = ResolvedProvider & {
  /** Loads how to sign in with this provider. */
  readonly method: () => Promise<Method>
}

/** How to sign in: one implementation for each provider type. */
export interface Method {
  /** What depends on the kind of proof. The proof is one that `finish` returned. */
  steps(auth: AuthContext, request: AuthRequest, proof: Proof): ProofSteps
  /** POST signin/:provider */
  start(auth: AuthContext, provider: ResolvedProvider, request: AuthRequest): Promise<AuthResult>
  /** callback/:provider. A result instead of a proof means that the flow continues elsewhere. */
  finish(auth: AuthContext, provider: ResolvedProvider, request: AuthRequest): Promise<Proof | AuthResult>
  /** Cookies that this callback consumes, even if it fails. */
  consumedCookies?(auth: AuthContext, provider: ResolvedProvider, request: AuthRequest): Awaitable<readonly SetCookie[]>
  /** Loads what modules may ask for besides sign-ins. Only passkeys have it. */
  readonly assertions?: () => Promise<Assertions<AuthContext>>
  /** An OpenID provider, for modules. */
  openId?(auth: AuthContext, provider: ResolvedProvider): OpenIdProvider | null
}

/** The part of the compiled configuration that sessions need. */
export interface SessionContext extends OfSite {
  /** A leading slash and no trailing one: `/auth`. Empty for the root. */
  readonly basePath: string
  /** Scheme and host of `url`. */
  readonly origin: string | undefined
  readonly trustHost: boolean | readonly string[]
  /** `undefined`: the scheme of the request decides. */
  readonly useSecureCookies: boolean | undefined
  /** Newest first, never empty. */
  readonly secrets: readonly string[]
  readonly http: SchemeContext
  readonly https: SchemeContext
  readonly strategy: "jwt" | "database"
  /** Sessions say when and how their users signed in. */
  readonly stepUp: boolean
  readonly lifetime: Lifetime
  readonly callbacks: Callbacks
  readonly events: Required<EventCallbacks>
  /** `undefined`: no handler listens to security events. */
  readonly audit: Audit | undefined
  /** Keeps `this`. Errors are `AdapterError`s. */
  readonly adapter: Adapter | undefined
  /** Identifies where messages go. */
  readonly logSink: object
  readonly pages: PagesOptions
  readonly theme: Theme
  readonly i18n: I18nOptions
  readonly nonce: ((request: { readonly headers: Headers }) => string | undefined) | undefined
  readonly captcha: Captcha | undefined
  readonly modules: readonly Module[]
  /** Loads what keeps the tokens of providers. `undefined`: the configuration doesn't keep them. */
  readonly vault: (() => Promise<Vault<AuthContext>>) | undefined
  /** Where modules keep their data. */
  readonly records: RecordStore | undefined
  readonly rules: Rules
  readonly security: Security
  /** Whether what only next-auth 4 and Auth.js v5 have is used. */
  readonly compat: boolean
  /** The user that a CSRF token is bound to. `undefined`: no session. Empty: its user isn't known. */
  readonly csrfBinding: (auth: SessionContext, request: SessionRequest) => Promise<string | undefined>
  /** When sessions of a less strict configuration end, in milliseconds since 1970. `Infinity`: when they expire. */
  readonly formerSessionsUntil: number
  readonly rateLimit: RateLimitOptions | false
  readonly redirectProxyOrigins: readonly string[] | undefined
  /** Origins of this deployment that its hosting platform names. */
  readonly deploymentOrigins: readonly string[]
  /** The application checks the origin of requests itself. */
  readonly skipsCsrfCheck: boolean
  /** The integration turned the check off, because it checks the sender of each form itself. */
  readonly checksSender: boolean
  /** `Auth()` returns data instead of a `Response`. */
  readonly isRaw: boolean
  readonly logger: Logger
  readonly runtime: Runtime
  readonly development: boolean
  /** `environment` is `"production"`, which is its default only under `"strict"`. */
  readonly production: boolean
}

/** Seconds. */
export interface Lifetime {
  readonly maxAge: number
  readonly updateAge: number
  readonly jwtMaxAge: number
  readonly absoluteMaxAge: number | undefined
  /** Sessions that began before it have ended, once it has passed. Milliseconds since 1970. */
  readonly notBefore: number | undefined
  /** How long a server without the adapter accepts a session after its last check. `undefined`: until it expires. */
  readonly maxStaleness: number | undefined
  /** How old the sealed time of the last check may become. `undefined`: only a renewal seals it. */
  readonly sealsCheckEvery: number | undefined
}

export type Callbacks = {
  readonly [name in "signIn" | "redirect"]: NonNullable<CallbacksOptions[name]>
} & {
  /** `undefined`: no callback is set, so reading a session compares no claims. */
  readonly jwt: CallbacksOptions["jwt"] | undefined
  readonly session: CallbacksOptions["session"] | undefined
  readonly signUp: CallbacksOptions["signUp"] | undefined
}
