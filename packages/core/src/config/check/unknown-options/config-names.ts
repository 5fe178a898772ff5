import type { CallbacksOptions, EventCallbacks } from "../../../model/callbacks.js"
import type { AuthConfig, JWTOptions, RevocationOptions, SessionOptions } from "../../../model/config.js"
import type { CookieOption, CookieOptions, CookiesOptions } from "../../../model/cookie.js"
import type { RateLimit, RateLimitOptions, RateLimits } from "../../../model/limits.js"
import type { PagesOptions, Theme } from "../../../model/pages.js"
import type { SecurityMode, SecurityOptions } from "../../../model/security.js"
import type { Version4Options } from "../../../model/version4.js"
import type { I18nOptions } from "../../../i18n/options.js"
import type { Runtime } from "../../../primitives/runtime.js"
import { any, type EveryOption } from "../../../primitives/option-names.js"

const cookieAttributes = {
  encode: any,
  maxAge: any,
  expires: any,
  domain: any,
  path: any,
  httpOnly: any,
  secure: any,
  partitioned: any,
  priority: any,
  sameSite: any,
} satisfies EveryOption<CookieOptions>

const cookie = { name: any, options: cookieAttributes } satisfies EveryOption<CookieOption>

const session = {
  strategy: any,
  maxAge: any,
  updateAge: any,
  absoluteMaxAge: any,
  notBefore: any,
  revocation: { maxStaleness: any } satisfies EveryOption<RevocationOptions>,
  generateSessionToken: any,
  version4: { acceptUntil: any, cookie, share: any } satisfies EveryOption<Version4Options>,
} satisfies EveryOption<SessionOptions>

const jwt = {
  secret: any,
  maxAge: any,
  encryption: any,
  encode: any,
  decode: any,
} satisfies EveryOption<JWTOptions>

const callbacks = {
  signIn: any,
  redirect: any,
  jwt: any,
  session: any,
  /** Of Next.js. */
  authorized: any,
} satisfies EveryOption<CallbacksOptions & { authorized: unknown }>

const events = {
  signIn: any,
  signOut: any,
  createUser: any,
  updateUser: any,
  linkAccount: any,
  unlinkAccount: any,
  removePasskey: any,
  renamePasskey: any,
  revokeSessions: any,
  requestEmailChange: any,
  changeEmail: any,
  deleteUser: any,
  session: any,
  signInFailure: any,
} satisfies EveryOption<EventCallbacks>

const pages = {
  signIn: any,
  signOut: any,
  error: any,
  verifyRequest: any,
  account: any,
  newUser: any,
  forgotPassword: any,
  createAccount: any,
} satisfies EveryOption<PagesOptions>

const theme = {
  name: any,
  colorScheme: any,
  logo: any,
  brandColor: any,
  buttonText: any,
} satisfies EveryOption<Theme>

const i18n = { locales: any, defaultLocale: any, cookies: any, messages: any } satisfies EveryOption<I18nOptions>

const cookies = {
  sessionToken: cookie,
  callbackUrl: cookie,
  csrfToken: cookie,
  pkceCodeVerifier: cookie,
  state: cookie,
  nonce: cookie,
  webauthnChallenge: cookie,
  device: cookie,
  attempt: cookie,
  lastUsed: cookie,
  signInTime: cookie,
} satisfies EveryOption<CookiesOptions>

const security = {
  mode: any,
  linking: any,
  sessionCookiePrefix: any,
  revocableSessions: any,
  keyPerPurpose: any,
  hashSessionTokens: any,
  providerTokens: any,
  newestEmailLinkOnly: any,
  emailLinkMaxAge: any,
  reclaimMailbox: any,
  passkeySignUp: any,
  listedOriginsOnly: any,
  refuseWeakSecret: any,
  enforceIssuerChecks: any,
  recentSignIn: any,
  formerSessionsUntil: any,
} satisfies EveryOption<SecurityOptions & { mode: SecurityMode }>

const limit = { points: any, seconds: any, thenEvery: any } satisfies EveryOption<RateLimit>
const limits = { identifier: limit, address: limit, both: limit, device: limit } satisfies EveryOption<RateLimits>

const rateLimit = {
  store: any,
  limits: {
    credentials: limits,
    email: limits,
    link: limits,
    callback: limits,
    webauthn: limits,
  } satisfies EveryOption<NonNullable<RateLimitOptions["limits"]>>,
  trustedProxies: any,
  address: any,
  failOpen: any,
} satisfies EveryOption<RateLimitOptions>

const runtime = { now: any, random: any, uuid: any, fetch: any, sleep: any } satisfies EveryOption<Runtime>

/** The options of a configuration. */
export const configNames: EveryOption<AuthConfig & { prefix: unknown }> = {
  providers: any,
  secret: any,
  url: any,
  // Adapters, stores and modules may have members of their own.
  adapter: any,
  session,
  jwt,
  callbacks,
  events,
  pages,
  theme,
  i18n,
  nonce: any,
  cookies,
  useSecureCookies: any,
  trustHost: any,
  basePath: any,
  redirectProxyUrl: any,
  redirectProxyOrigins: any,
  deploymentOrigins: any,
  security,
  rateLimit,
  modules: any,
  environment: any,
  debug: any,
  // Auth.js v5 allows any logger, such as the console.
  logger: any,
  experimental: { enableWebAuthn: any } satisfies EveryOption<NonNullable<AuthConfig["experimental"]>>,
  skipCSRFCheck: any,
  raw: any,
  waitUntil: any,
  runtime,
  /** Of Fastify, which gives it to every plugin. */
  prefix: any,
}
