import type { Adapter } from "./adapter.js"
import type { CallbacksOptions, EventCallbacks } from "./callbacks.js"
import type { CookiesOptions } from "./cookie.js"
import type { RateLimitOptions } from "./limits.js"
import type { Module } from "./module.js"
import type { Provider } from "./provider.js"
import type { JWT, Session } from "./session.js"
import type { raw, skipCSRFCheck } from "./symbols.js"
import type { Runtime } from "../primitives/runtime.js"
import type { Awaitable } from "./user.js"

export interface Theme {
  readonly colorScheme?: "auto" | "dark" | "light" | undefined
  /** Address of an image, at most 150 × 70 px. */
  readonly logo?: string | undefined
  /** A CSS colour. */
  readonly brandColor?: string | undefined
  /** A CSS colour. */
  readonly buttonText?: string | undefined
}

/** Pages of your own, as paths below the origin or absolute URLs. */
export interface PagesOptions {
  readonly signIn?: string | undefined
  readonly signOut?: string | undefined
  /** Gets `error` in its query. */
  readonly error?: string | undefined
  readonly verifyRequest?: string | undefined
  /** Where a person goes after their first sign-in. */
  readonly newUser?: string | undefined
}

export type WarningCode =
  | "debug-enabled"
  | "csrf-disabled"
  | "env-url-basepath-redundant"
  | "env-url-basepath-mismatch"
  | "experimental-webauthn"
  | "weak-secret"
  | "redirect-refused"
  | "insecure-endpoint"
  | "pkce-unsupported"
  | "checks-disabled"
  | "provider-deprecated"
  | "store-capability-missing"
  | "rate-limited"
  | "weakened-settings"
  | "nothing-protected"

export interface LoggerInstance {
  error(error: Error): void
  warn(code: WarningCode, detail?: string): void
  debug(message: string, metadata?: unknown): void
}

export interface JWTEncodeParams<Payload = JWT> {
  readonly token?: Payload | undefined
  readonly secret: string | readonly string[]
  /** Seconds. Default 2 592 000 (30 days). */
  readonly maxAge?: number | undefined
  /** The name of the cookie the token goes into. */
  readonly salt: string
}

export interface JWTDecodeParams {
  readonly token?: string | undefined
  readonly secret: string | readonly string[]
  readonly salt: string
}

export interface JWTOptions {
  /** @default the configuration's `secret` */
  readonly secret?: string | readonly string[] | undefined
  /** Seconds until the token expires. @default `session.maxAge` */
  readonly maxAge?: number | undefined
  encode?(params: JWTEncodeParams): Awaitable<string>
  decode?(params: JWTDecodeParams): Awaitable<JWT | null>
}

export interface SessionOptions {
  /** @default `"database"` with an adapter, `"jwt"` without */
  readonly strategy?: "jwt" | "database" | undefined
  /** Seconds of idleness after which a session ends. @default 2592000 (30 days) */
  readonly maxAge?: number | undefined
  /** Seconds after which a session in use is extended; 0: on every read. @default 86400, at most a tenth of `maxAge` */
  readonly updateAge?: number | undefined
  /** Seconds after authentication at which a session ends, used or not. @default none; 2592000 under `"strict"` */
  readonly absoluteMaxAge?: number | undefined
  /** @default a random UUID */
  generateSessionToken?(): string
}

/** Single hardenings behind the word `security` (design decision 10). */
export interface SecurityOptions {
  /** `"same-session"`: a flow started while signed in links; `"explicit"`: only with `link: true`. */
  readonly linking?: "same-session" | "explicit" | undefined
  /** Prefix of the session cookie over https. */
  readonly sessionCookiePrefix?: "__Secure-" | "__Host-" | undefined
  /** Sealed sessions are checked against the store, when there is one. */
  readonly revocableSessions?: boolean | undefined
  /** Each purpose has a key label of its own. */
  readonly keyPerPurpose?: boolean | undefined
  /** The store keeps only a hash of a session token. */
  readonly hashSessionTokens?: boolean | undefined
  /** Tokens of providers in the store: as they are, sealed, or not at all. */
  readonly providerTokens?: "plain" | "sealed" | "none" | undefined
  /** A new link makes the older ones of that address void. */
  readonly newestEmailLinkOnly?: boolean | undefined
  /** Default lifetime of a link in seconds. */
  readonly emailLinkMaxAge?: number | undefined
  /** First proof of a mailbox ends other sessions and drops unproven accounts of that user. */
  readonly reclaimMailbox?: boolean | undefined
  /** Only origins that are configured are served (`url`, or a list in `trustHost`). */
  readonly listedOriginsOnly?: boolean | undefined
  /** A secret under 32 bytes of entropy is refused in production instead of warned about. */
  readonly refuseWeakSecret?: boolean | undefined
  /** `iss`, `azp`, `auth_time` and `acr` are enforced whenever asked for or advertised. */
  readonly enforceIssuerChecks?: boolean | undefined
}

export type SecurityMode = "compatible" | "strict"

/**
 * The configuration (spec/config.md §1). It is read once and never written to; freeze it if you like.
 *
 * @example
 * ```ts
 * import type { AuthConfig } from "@latchkey/core"
 * import credentials from "@latchkey/core/providers/credentials"
 * export const config: AuthConfig = {
 *   secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG",
 *   trustHost: true,
 *   providers: [credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) })],
 * }
 * ```
 */
export interface AuthConfig<T extends JWT = JWT, S = Session> {
  readonly providers: readonly Provider[]
  /** 32 random bytes or more; in an array the first one seals, all open (rotation). */
  readonly secret?: string | readonly string[] | undefined
  /** `AUTH_URL`: origin and base path of this deployment. Wins over every header. */
  readonly url?: string | undefined
  readonly adapter?: Adapter | undefined
  readonly session?: SessionOptions | undefined
  readonly jwt?: JWTOptions | undefined
  readonly callbacks?: CallbacksOptions<T, S> | undefined
  readonly events?: EventCallbacks | undefined
  readonly pages?: PagesOptions | undefined
  readonly theme?: Theme | undefined
  /**
   * The nonce of the content security policy that the host application puts on this response, for the one style and the
   * one script of the built-in pages. Take it from a header only if your own proxy or middleware always sets that header.
   * At least 16 characters of base64; anything else is not used. @default a new one for each page
   */
  nonce?(request: { readonly headers: Headers }): string | undefined
  readonly cookies?: CookiesOptions | undefined
  /** @default whether the request came over https */
  readonly useSecureCookies?: boolean | undefined
  /** Which hosts may be named by a request: any, or those of this list. @default none; see `withEnv` */
  readonly trustHost?: boolean | readonly string[] | undefined
  /** @default "/auth" */
  readonly basePath?: string | undefined
  /** Address, up to and including the base path, of the deployment that receives callbacks for others. */
  readonly redirectProxyUrl?: string | undefined
  /** Origins that the redirect proxy may send codes to, `*.` for one label. @default every origin sealed with our secret */
  readonly redirectProxyOrigins?: readonly string[] | undefined
  /** One word for all hardening that a swapped-in application would notice. @default "compatible" */
  readonly security?: SecurityMode | (SecurityOptions & { readonly mode?: SecurityMode }) | undefined
  /**
   * Limits on attempts to sign in; `false` switches them off. What is over them is answered with 429, `Retry-After` and
   * the code `RateLimited`. @default on, counted in the memory of this process
   */
  readonly rateLimit?: RateLimitOptions | false | undefined
  readonly modules?: readonly Module[] | undefined
  /** `"development"` shows causes on the error page. @default "production"; see `withEnv` */
  readonly environment?: "development" | "production" | undefined
  readonly debug?: boolean | undefined
  readonly logger?: Partial<LoggerInstance> | undefined
  readonly experimental?: { readonly enableWebAuthn?: boolean | undefined } | undefined
  readonly skipCSRFCheck?: typeof skipCSRFCheck | undefined
  readonly raw?: typeof raw | undefined
  /** Keeps work that may go on after the response (`waitUntil` of a platform); events then do not delay it. */
  waitUntil?(work: Promise<unknown>): void
  /** Time, randomness and network, for tests. */
  readonly runtime?: Partial<Runtime> | undefined
}
