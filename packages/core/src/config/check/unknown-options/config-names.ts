import type { Captcha } from "../../../model/captcha.js"
import type { CallbacksOptions, EventCallbacks } from "../../../model/callbacks.js"
import type { AuthConfig, JWTOptions, RevocationOptions, SessionOptions } from "../../../model/config.js"
import type { CookieOption, CookieOptions, CookiesOptions } from "../../../model/cookie.js"
import type { RateLimit, RateLimitOptions, RateLimits } from "../../../model/limits.js"
import type { PagesOptions, Theme } from "../../../model/pages.js"
import type { SecurityMode, SecurityOptions } from "../../../model/security.js"
import type { Version4Options } from "../../../model/version4.js"
import type { I18nOptions } from "../../../i18n/options.js"
import type { Runtime } from "../../../primitives/runtime.js"
import { anything, type EveryOption } from "../../../primitives/option-names.js"

const cookieAttributes = {
  encode: anything,
  maxAge: anything,
  expires: anything,
  domain: anything,
  path: anything,
  httpOnly: anything,
  secure: anything,
  partitioned: anything,
  priority: anything,
  sameSite: anything,
} satisfies EveryOption<CookieOptions>

const cookie = { name: anything, options: cookieAttributes } satisfies EveryOption<CookieOption>

const session = {
  strategy: anything,
  maxAge: anything,
  updateAge: anything,
  absoluteMaxAge: anything,
  notBefore: anything,
  stepUp: anything,
  revocation: { maxStaleness: anything } satisfies EveryOption<RevocationOptions>,
  generateSessionToken: anything,
  place: anything,
  version4: { acceptUntil: anything, cookie, share: anything } satisfies EveryOption<Version4Options>,
} satisfies EveryOption<SessionOptions>

const jwt = {
  secret: anything,
  maxAge: anything,
  encryption: anything,
  encode: anything,
  decode: anything,
} satisfies EveryOption<JWTOptions>

const callbacks = {
  signIn: anything,
  signUp: anything,
  redirect: anything,
  jwt: anything,
  session: anything,
  updateProfile: anything,
  /** Of Next.js. */
  authorized: anything,
} satisfies EveryOption<CallbacksOptions & { authorized: unknown }>

const events = {
  signIn: anything,
  signOut: anything,
  createUser: anything,
  updateUser: anything,
  updateProfile: anything,
  linkAccount: anything,
  unlinkAccount: anything,
  removePasskey: anything,
  renamePasskey: anything,
  revokeSessions: anything,
  requestEmailChange: anything,
  changeEmail: anything,
  deleteUser: anything,
  session: anything,
  signInFailure: anything,
  security: anything,
} satisfies EveryOption<EventCallbacks>

const pages = {
  signIn: anything,
  signOut: anything,
  error: anything,
  verifyRequest: anything,
  account: anything,
  newUser: anything,
  forgotPassword: anything,
  createAccount: anything,
  terms: anything,
  privacy: anything,
  factor: anything,
} satisfies EveryOption<PagesOptions>

const theme = {
  name: anything,
  colorScheme: anything,
  logo: anything,
  brandColor: anything,
  buttonText: anything,
} satisfies EveryOption<Theme>

const i18n = {
  locales: anything,
  defaultLocale: anything,
  cookies: anything,
  messages: anything,
} satisfies EveryOption<I18nOptions>

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
  pendingSignIn: cookie,
  signInTime: cookie,
} satisfies EveryOption<CookiesOptions>

const security = {
  mode: anything,
  linking: anything,
  sessionCookiePrefix: anything,
  revocableSessions: anything,
  keyPerPurpose: anything,
  hashSessionTokens: anything,
  providerTokens: anything,
  newestEmailLinkOnly: anything,
  emailLinkMaxAge: anything,
  reclaimMailbox: anything,
  passkeySignUp: anything,
  listedOriginsOnly: anything,
  refuseWeakSecret: anything,
  enforceIssuerChecks: anything,
  recentSignIn: anything,
  formerSessionsUntil: anything,
} satisfies EveryOption<SecurityOptions & { mode: SecurityMode }>

const limit = { points: anything, seconds: anything, thenEvery: anything } satisfies EveryOption<RateLimit>
const limits = { identifier: limit, address: limit, both: limit, device: limit } satisfies EveryOption<RateLimits>

const rateLimit = {
  store: anything,
  limits: {
    credentials: limits,
    email: limits,
    link: limits,
    callback: limits,
    factor: limits,
    webauthn: limits,
  } satisfies EveryOption<NonNullable<RateLimitOptions["limits"]>>,
  trustedProxies: anything,
  address: anything,
  failOpen: anything,
} satisfies EveryOption<RateLimitOptions>

const runtime = {
  now: anything,
  random: anything,
  uuid: anything,
  fetch: anything,
  sleep: anything,
} satisfies EveryOption<Runtime>

/** The options of a configuration. */
export const configNames: EveryOption<AuthConfig & { prefix: unknown }> = {
  providers: anything,
  secret: anything,
  url: anything,
  // Adapters, stores and modules may have members of their own.
  adapter: anything,
  session,
  jwt,
  callbacks,
  events,
  pages,
  theme,
  i18n,
  nonce: anything,
  captcha: {
    verify: anything,
    field: anything,
    widget: { script: anything, className: anything, siteKey: anything, hosts: anything },
    actions: anything,
    whenUnavailable: anything,
  } satisfies EveryOption<Captcha>,
  cookies,
  useSecureCookies: anything,
  trustHost: anything,
  basePath: anything,
  redirectProxyUrl: anything,
  redirectProxyOrigins: anything,
  deploymentOrigins: anything,
  security,
  compat: anything,
  rateLimit,
  modules: anything,
  records: anything,
  tokens: anything,
  environment: anything,
  debug: anything,
  // Auth.js v5 allows any logger, such as the console.
  logger: anything,
  experimental: { enableWebAuthn: anything } satisfies EveryOption<NonNullable<AuthConfig["experimental"]>>,
  skipCSRFCheck: anything,
  raw: anything,
  waitUntil: anything,
  runtime,
  /** Of Fastify, which gives it to every plugin. */
  prefix: anything,
}
