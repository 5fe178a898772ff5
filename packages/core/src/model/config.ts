import type { I18nOptions } from "../i18n/options.js"
import type { Adapter } from "./adapter.js"
import type { Module } from "../module-kit/model.js"
import type { Captcha } from "./captcha.js"
import type { CallbacksOptions, EventCallbacks } from "./callbacks.js"
import type { CookiesOptions } from "./cookie.js"
import type { Provider } from "./given-provider.js"
import type { RateLimitOptions } from "./limits.js"
import type { RecordStore } from "./records.js"
import type { LoggerInstance } from "./logger.js"
import type { PagesOptions, Theme } from "./pages.js"
import type { SecurityMode, SecurityOptions } from "./security.js"
import type { JWT, Session } from "./session.js"
import type { raw, skipCSRFCheck } from "./symbols.js"
import type { Version4Options } from "./version4.js"
import type { Runtime } from "../primitives/runtime.js"
import type { Awaitable } from "./user.js"
import type { TokenVault } from "./vault.js"

/**
 * Content encryption of session tokens (RFC 7518 §5). Each has a key of its own length, 32 or 64 bytes. Both are always read.
 */
export type TokenEncryption = "A256GCM" | "A256CBC-HS512"

export interface JWTEncodeParams<Payload = JWT> {
  readonly token?: Payload | undefined
  /** The first of several seals. */
  readonly secret: string | readonly string[]
  /** Seconds until the token expires. @default 2592000 (30 days) */
  readonly maxAge?: number | undefined
  /** The name of the cookie that holds the token. */
  readonly salt: string
  /** @default "A256GCM" */
  readonly encryption?: TokenEncryption | undefined
}

export interface JWTDecodeParams {
  readonly token?: string | undefined
  /** Each of several is tried. */
  readonly secret: string | readonly string[]
  /** The name of the cookie that holds the token. */
  readonly salt: string
}

export interface JWTOptions {
  /** @default `secret` of the configuration */
  readonly secret?: string | readonly string[] | undefined
  /** Seconds until the token expires. @default `session.maxAge` */
  readonly maxAge?: number | undefined
  /**
   * How session tokens are sealed. With `"A256CBC-HS512"`, services that open the tokens of Auth.js v5 themselves can go on.
   * Tokens with either encryption are read; one with the other is replaced at the next read.
   * @default "A256GCM"
   */
  readonly encryption?: TokenEncryption | undefined
  /** Replaces how claims become the cookie value. @default compact JWE with A256GCM */
  encode?(params: JWTEncodeParams): Awaitable<string>
  /** Replaces how the cookie value becomes claims. Return `null` if the token isn't valid. */
  decode?(params: JWTDecodeParams): Awaitable<JWT | null>
}

export interface RevocationOptions {
  /**
   * Seconds for which a server without the adapter accepts a session after a server with the adapter has checked it. That one
   * writes the time of a check into the cookie when half of this time has passed. With 0, it accepts none.
   * @default until the session expires; 300 under `"strict"`
   */
  readonly maxStaleness?: number | undefined
}

export interface SessionOptions {
  /**
   * Where sessions are kept: sealed in the cookie or in the database.
   * @default "database" with an adapter, else "jwt"
   */
  readonly strategy?: "jwt" | "database" | undefined
  /** Seconds without use after which a session ends. @default 2592000 (30 days) */
  readonly maxAge?: number | undefined
  /**
   * Seconds after which a session in use is extended; 0 extends it at every read.
   * @default 86400, but at most a tenth of `maxAge`
   */
  readonly updateAge?: number | undefined
  /** Seconds after the sign-in at which a session ends, even if it's in use. @default none; 2592000 under `"strict"` */
  readonly absoluteMaxAge?: number | undefined
  /**
   * Signs every user out: sessions that began before this time end as soon as it has passed. A date, or text such as
   * `"2027-03-01T12:00:00Z"`. Sessions that don't say when they began end too. @default none
   */
  readonly notBefore?: Date | string | undefined
  /**
   * Sessions say when and how their users signed in, so that a page or route can ask for a recent or a stronger sign-in: see
   * {@link StepUp}. Sessions from before can't, and their users sign in again.
   * @default false; true with a module that has a second factor
   */
  readonly stepUp?: boolean | undefined
  /** For servers that read sessions without the adapter, although the site can revoke them. Set it on all servers. */
  readonly revocation?: RevocationOptions | undefined
  /** Makes the token of a database session. @default 16 random bytes in the form of a UUID; 32 in hex if `security.hashSessionTokens` */
  generateSessionToken?(): string
  /**
   * Where a sign-in comes from, such as "Berlin, Germany", for the list of sessions on the account page. Asked once for each new
   * session, and waited for at most a second. @default the list has no places
   *
   * @example
   * ```ts
   * import type { AuthConfig } from "@latchkey/core"
   * export const session: AuthConfig["session"] = { place: ({ headers }) => headers.get("cf-ipcity") ?? undefined }
   * ```
   */
  place?(request: Request): Awaitable<string | undefined>
  /**
   * Sessions of next-auth 4, which continue without a new sign-in. `false` doesn't accept them.
   * @default accepted without an end; not accepted under `security: "strict"`
   */
  readonly version4?: Version4Options | false | undefined
}

/**
 * The configuration. It's read once for each object and never written to, so you can freeze it.
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
  /** Ways to sign in, in the order of the sign-in page. */
  providers: readonly Provider[]
  /**
   * At least 32 random bytes. To rotate, pass an array: the first one seals, all of them open.
   * @default the environment variable AUTH_SECRET, see `withEnv`
   */
  secret?: string | readonly string[] | undefined
  /**
   * Origin and base path of this deployment, such as `https://app.example/auth`. Overrides every header.
   * @default the environment variable AUTH_URL, see `withEnv`
   */
  url?: string | undefined
  /** Stores users, accounts and, with `session.strategy: "database"`, sessions. */
  adapter?: Adapter | undefined
  session?: SessionOptions | undefined
  jwt?: JWTOptions | undefined
  callbacks?: CallbacksOptions<T, S> | undefined
  events?: EventCallbacks | undefined
  pages?: PagesOptions | undefined
  theme?: Theme | undefined
  /** Languages of the built-in pages and emails. @default 24 languages, of which the request selects one */
  i18n?: I18nOptions | undefined
  /**
   * Returns the nonce of your content security policy for the style and script of the built-in pages: at least 16
   * characters of base64, or it's ignored. Read it from a request header only if your own proxy or middleware always sets
   * that header. @default a new one for each page
   */
  nonce?(request: { readonly headers: Headers }): string | undefined
  /** Names and attributes of the cookies. */
  cookies?: CookiesOptions | undefined
  /** Sets the `Secure` flag and name prefixes of cookies. @default whether the request came over https */
  useSecureCookies?: boolean | undefined
  /**
   * Hosts that a request may name: `true` for any, or a list with `*.` for one label. Set it behind a proxy that sets the
   * forwarded headers itself. @default the environment, see `withEnv`, else none
   */
  trustHost?: boolean | readonly string[] | undefined
  /** Path of the routes. @default the path of `url`, else "/auth" */
  basePath?: string | undefined
  /**
   * URL, with its base path, of a deployment that forwards callbacks to this one. Use it for preview deployments, whose
   * URLs aren't registered at the provider.
   */
  redirectProxyUrl?: string | undefined
  /**
   * Origins that a redirect proxy may forward callbacks to, with `*.` for one label. With `trustHost: true`, also those that
   * a deployment behind it may have.
   * @default the origins that deployments with this secret have in `url`, `trustHost` or `deploymentOrigins`
   */
  redirectProxyOrigins?: readonly string[] | undefined
  /**
   * Origins of this deployment that its hosting platform names, with `*.` for one label. With `trustHost: true`, the
   * deployment may use a redirect proxy under these. @default none; with `withEnv` those that Vercel, Cloudflare Pages or
   * Netlify name in environment variables
   */
  deploymentOrigins?: readonly string[] | undefined
  /**
   * `"strict"` turns on the hardening that would change how an existing Auth.js application behaves. You can also set each
   * option on its own. @default "compatible"
   */
  security?: SecurityMode | (SecurityOptions & { readonly mode?: SecurityMode }) | undefined
  /**
   * `false` ends what exists only for a switch from next-auth 4 or Auth.js v5: sessions of version 4 (unless `session.version4`
   * is set), OAuth sign-ins that another version started or may finish, and option values that v5 tolerates, which are errors
   * then. Set it once no server runs another version, and no session of version 4 is left. @default true
   */
  compat?: boolean | undefined
  /**
   * Limits on sign-in attempts; `false` turns them off. Attempts over a limit get status 429, `Retry-After` and the code
   * `RateLimited`. @default on, counted in the memory of this process
   */
  rateLimit?: RateLimitOptions | false | undefined
  /** Protects sign-up, reset and email links from bots. @default none */
  captcha?: Captcha | undefined
  /** Features that are added: see `docs/modules.md`. */
  modules?: readonly Module[] | undefined
  /**
   * Where modules keep their data, if it isn't the adapter. `records` of every adapter of Latchkey is such a store.
   *
   * @default `records` of the adapter
   */
  records?: RecordStore | undefined
  /**
   * Keeps the tokens of providers, encrypted, so that `token("google")` returns an access token that works: see `docs/tokens.md`. It needs
   * records. Set `vault` of `@latchkey/core/tokens`. @default nothing is kept
   */
  tokens?: TokenVault | undefined
  /**
   * Under `security: "strict"`, `"development"` allows weak secrets and any host. `"production"` logs settings that make it
   * less secure. @default the environment, see `withEnv`, else `"production"`, without the log under `"compatible"`
   */
  environment?: "development" | "production" | undefined
  /** Logs what the engine does. Secrets are redacted, personal data isn't. @default false */
  debug?: boolean | undefined
  /** Replaces single log levels. @default the console */
  logger?: Partial<LoggerInstance> | undefined
  experimental?: { readonly enableWebAuthn?: boolean | undefined } | undefined
  /** Set it to the symbol {@link skipCSRFCheck} if your application checks the origin of requests itself. */
  skipCSRFCheck?: typeof skipCSRFCheck | undefined
  /** Set it to the symbol {@link raw} to get data from `Auth()` instead of a `Response`. */
  raw?: typeof raw | undefined
  /** Keeps the process alive for work after the response. Event handlers then don't delay the response. */
  waitUntil?(work: Promise<unknown>): void
  /** Time, randomness and network, for tests. */
  runtime?: Partial<Runtime> | undefined
}
