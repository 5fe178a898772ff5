import { toHex } from "../crypto/digest.js"
import { type Keyrings, createTokenSealer } from "../crypto/token-sealer.js"
import { AdapterError, InvalidConfig } from "../errors.js"
import { defaultRedirect } from "../http/redirect.js"
import type { Adapter } from "../model/adapter.js"
import type { Callbacks, SessionContext } from "../model/auth.js"
import type { CallbacksOptions } from "../model/callbacks.js"
import type { AuthConfig, TokenEncryption } from "../model/config.js"
import type { Cookie } from "../model/cookie.js"
import type { RateLimitOptions, RateLimitStore } from "../model/limits.js"
import type { Logger } from "../model/logger.js"
import type { RecordStore } from "../model/records.js"
import type { SchemeContext, SessionStrategy } from "../model/session-strategy.js"
import { checksSender, raw, skipCSRFCheck } from "../model/symbols.js"
import type { Version4 } from "../model/version4.js"
import type { PagesOptions } from "../model/pages.js"
import type { Module } from "../module-kit/model.js"
import { eventsOf } from "../observability/events.js"
import { type Runtime, systemRuntime } from "../primitives/runtime.js"
import { type BoundedMap, type OfSite, type Site, createBoundedMap, siteOf } from "../primitives/state.js"
import { isSiteUrl } from "../primitives/web-url.js"
import { adoption } from "../session/adoption.js"
import { csrfBinding } from "../session/csrf-binding.js"
import { databaseSessions } from "../session/database-sessions.js"
import { jwtSessions } from "../session/jwt-sessions.js"
import { keepsSignInTime } from "../session/live-session.js"
import { markedTokens } from "../session/marked-tokens.js"
import { type SessionStore, hasSessions, revocation } from "../session/revocation.js"
import { type Unchecked, warnOfUnchecked } from "../session/stored-sessions.js"
import { keepsAuthentication } from "./auth-routes.js"
import { basePathOf, cookieTable, endedCookieOf, flowCookieOf, formerSessionCookies, lifetimeOf } from "./defaults.js"
import { formerSessionsEnd, isProduction, rulesOf, securityOf } from "./presets.js"
import { version4Of } from "../compat/version4-cookies.js"
import { wrapAdapter, wrapRecords } from "./wrap-adapter.js"

/** Resolves everything that sessions need, from a repaired configuration. */
export function resolveSessionConfig(
  config: AuthConfig,
  logger: Logger,
  { site }: OfSite = { site: siteOfConfig(config) },
  given?: ForReader,
): SessionContext {
  const common = commonOf(config, logger, site)
  const { unchecked } = given ?? { unchecked: uncheckedOf(config, { isReader: false }) }
  if (unchecked?.isDeclared === true && common.strategy === "jwt") warnOfUnchecked(common)
  const schemeOf = (secure: boolean) => schemeContext(config, { ...common, unchecked }, secure)
  return { ...common, http: schemeOf(false), https: schemeOf(true) }
}

const noModules: readonly Module[] = []

/** An adapter may be a proxy that has a value for every name. */
function recordsOf({ records, adapter, tokens, modules = [] }: AuthConfig): RecordStore | undefined {
  if (records === undefined && modules.length === 0 && tokens === undefined) return undefined
  const found: RecordStore | undefined = records ?? adapter?.records
  return typeof found?.bump === "function" ? wrapRecords(found) : undefined
}

/** A session reader knows of an adapter that it hasn't loaded. */
interface ForReader {
  readonly unchecked: Unchecked | undefined
}

/**
 * The secrets identify the site, and nothing that a client can choose: an application may take its URL from the host, its base path from a mount
 * path in any spelling, and its adapter and callbacks from the request.
 */
export function siteOfConfig({ secret, jwt, runtime }: AuthConfig): Site {
  return siteOf([secret ?? [], jwt?.secret ?? []].flat(), runtime?.now)
}

function commonOf(config: AuthConfig, logger: Logger, site: Site) {
  const runtime = runtimeOf(config)
  const adapter = config.adapter === undefined ? undefined : wrapAdapter(config.adapter, logger)
  return {
    ...requestOptions(config),
    ...pageOptions(config),
    secrets: [config.secret ?? []].flat(),
    strategy: config.session?.strategy ?? (adapter === undefined ? "jwt" : "database"),
    lifetime: lifetimeOf(config),
    stepUp: keepsAuthentication(config),
    callbacks: callbacksOf(config),
    events: eventsOf(config, logger),
    audit: undefined,
    adapter,
    site,
    logSink: config.logger ?? theConsole,
    modules: config.modules ?? noModules,
    records: recordsOf(config),
    vault: config.tokens?.load as SessionContext["vault"],
    rules: rulesOf(config),
    security: securityOf(config),
    compat: config.compat !== false,
    formerSessionsUntil: formerSessionsEnd(config),
    csrfBinding,
    rateLimit: rateLimitOf(config),
    logger,
    runtime,
    development: config.environment === "development",
    production: isProduction(config),
  } as const
}

/** What a configuration without an adapter says about revocation. `undefined`: it has an adapter. */
export function uncheckedOf(
  { adapter, security, session }: Pick<AuthConfig, "security" | "session"> & { readonly adapter?: unknown },
  { isReader }: Pick<Unchecked, "isReader">,
): Unchecked | undefined {
  if (adapter !== undefined && adapter !== null) return undefined
  const isOn = typeof security === "object" && security?.revocableSessions === true
  return { isDeclared: isOn || (session?.revocation ?? undefined) !== undefined, isReader }
}

/** With a clock of its own, time may stand still, so nothing waits for it. */
function runtimeOf({ runtime }: AuthConfig): Runtime {
  return { ...systemRuntime, ...(runtime?.now !== undefined && { sleep: undefined }), ...runtime }
}

/** The store of the adapter is shared by all processes, so it's the default. */
function rateLimitOf({ rateLimit = {}, adapter }: AuthConfig): RateLimitOptions | false {
  if (rateLimit === false || rateLimit.store !== undefined) return rateLimit
  const store: unknown = adapter?.rateLimits
  return isStore(store) ? { ...rateLimit, store } : rateLimit
}

/** An adapter may be a proxy that has a value for every name. */
function isStore(value: unknown): value is RateLimitStore {
  return typeof value === "object" && value !== null && "take" in value && typeof value.take === "function"
}

/** The logger of configurations that have none. */
const theConsole = {}

function requestOptions(config: AuthConfig) {
  return {
    basePath: basePathOf(config),
    origin: originOf(config),
    trustHost: config.trustHost ?? false,
    useSecureCookies: config.useSecureCookies,
    redirectProxyOrigins: config.redirectProxyOrigins,
    deploymentOrigins: config.deploymentOrigins ?? [],
    skipsCsrfCheck: config.skipCSRFCheck === skipCSRFCheck,
    checksSender: checksSender in config,
    isRaw: config.raw === raw,
  }
}

/** A session reader doesn't check the whole configuration. */
function originOf({ url }: AuthConfig): string | undefined {
  if (url === undefined) return undefined
  if (isSiteUrl(url)) return new URL(url).origin
  throw new InvalidConfig(
    "url: The value isn't the http(s) URL of a site. Set AUTH_URL to a URL such as https://app.example/auth",
  )
}

/** One object for all configurations, because loaded languages are kept by it. */
const noOptions = {}

function pageOptions(config: AuthConfig) {
  return {
    pages: (config.modules ?? noModules).reduceRight<PagesOptions>((own, { pages }) => ({ ...pages, ...own }), {
      ...config.pages,
    }),
    theme: config.theme ?? { colorScheme: "auto", logo: "", brandColor: "", buttonText: "" },
    i18n: config.i18n ?? noOptions,
    nonce: config.nonce?.bind(config),
    captcha: config.captcha,
  } as const
}

function callbacksOf({ callbacks = {} }: AuthConfig): Callbacks {
  return {
    signIn: callbackOf(callbacks, "signIn") ?? (() => true),
    redirect: callbackOf(callbacks, "redirect") ?? defaultRedirect,
    jwt: callbackOf(callbacks, "jwt"),
    session: callbackOf(callbacks, "session"),
    signUp: callbackOf(callbacks, "signUp"),
  }
}

/** A value that isn't a function fails where it would be called, and everything else works. */
function callbackOf<K extends keyof Callbacks>(callbacks: CallbacksOptions, name: K): CallbacksOptions[K] {
  const callback: unknown = callbacks[name]
  if (callback === undefined || callback === null) return undefined
  const called =
    typeof callback === "function"
      ? callback.bind(callbacks)
      : () => {
          throw new InvalidConfig(`\`callbacks.${name}\` isn't a function. Set a function, or omit the option`)
        }
  return called as CallbacksOptions[K]
}

/** Purposes whose keys are kept. Records have one each, so the oldest are forgotten. */
const maxKeyrings = 1000

/**
 * Deriving a key costs more than opening a token with it. Not part of the state of the site: another copy of this module may have
 * the keys of another platform.
 */
const keyringsBySite = new WeakMap<Site, BoundedMap<string, Keyrings>>()

interface KeyOptions {
  readonly secrets: readonly string[]
  readonly keyPerPurpose: boolean
  readonly encryption: TokenEncryption | undefined
}

function keyringsOf({ site }: Common, { secrets, keyPerPurpose, encryption }: KeyOptions): Keyrings {
  const known = keyringsBySite.get(site) ?? createBoundedMap<string, Keyrings>(100)
  keyringsBySite.set(site, known)
  const key = JSON.stringify([keyPerPurpose, encryption, secrets])
  const keyrings: Keyrings = known.get(key) ?? createBoundedMap(maxKeyrings)
  known.set(key, keyrings)
  return keyrings
}

type Common = Omit<SessionContext, "http" | "https"> & { readonly unchecked: Unchecked | undefined }

function schemeContext(config: AuthConfig, common: Common, secure: boolean): SchemeContext {
  const { runtime, security, strategy } = common
  const version4 = version4Of(config, secure)
  const cookies = cookieTable(config, secure)
  const former = formerSessionCookies(config, secure)
  const endedCookie = endedCookieOf(config, secure, former.length > 0 || version4 !== undefined)
  const jwt = { ...config.jwt, secret: config.jwt?.secret ?? config.secret }
  const secrets = [jwt.secret ?? []].flat()
  const sealerFor = (encryption?: TokenEncryption) => {
    const options = { secrets, runtime, keyPerPurpose: security.keyPerPurpose, encryption }
    return createTokenSealer({ ...options, keyrings: keyringsOf(common, options) })
  }
  const sealer = sealerFor()
  const encryption = config.jwt?.encryption
  const jwtSealer = { sealer: encryption === undefined ? sealer : sealerFor(encryption) }
  const salts: readonly [string, ...string[]] = [cookies.sessionToken.name, ...former.map(({ name }) => name)]
  const sessions =
    strategy === "jwt"
      ? jwtSessions({ ...common, ...jwtOptions(common), jwt, secrets, ...jwtSealer, salts, version4 })
      : databaseSessionsOf(config, common, endedCookie !== undefined)
  const flowCookie = flowCookies(config, secure)
  const scheme = { secure, cookies, flowCookie, formerSessionCookies: former, endedCookie, version4, sessions, sealer }
  return Object.freeze(version4?.isShared === true ? inCookieOf(version4, scheme) : scheme)
}

function flowCookies(config: AuthConfig, secure: boolean): SchemeContext["flowCookie"] {
  const made = new Map<string, Cookie>()
  return (checks) => {
    const id = [...checks].toSorted().join(" ")
    const cookie = made.get(id) ?? flowCookieOf(config, secure, checks)
    made.set(id, cookie)
    return cookie
  }
}

/** The session stays in the cookie of version 4, and the own cookie is replaced by it. */
function inCookieOf({ sessionToken }: Version4, scheme: SchemeContext): SchemeContext {
  const { cookies, formerSessionCookies } = scheme
  const former = [cookies.sessionToken, ...formerSessionCookies].filter(({ name }) => name !== sessionToken.name)
  return { ...scheme, cookies: { ...cookies, sessionToken }, formerSessionCookies: former }
}

function jwtOptions(common: Common) {
  return { ...revocationOf(common), keepsAuthTime: keepsSignInTime(common) }
}

function revocationOf({ adapter, runtime, security, logger, site }: Common) {
  if (!security.revocableSessions || !hasSessions(adapter)) return { revocation: undefined, adoption: undefined }
  const rows = revocation({ adapter, runtime, logger })
  return { revocation: rows, adoption: adoption({ adapter, revocation: rows, runtime, logger, site }) }
}

/** As Auth.js v5, but 122 random bits of a UUID are too few (OWASP ASVS 7.2.3), so all 128 are. A hash fits no column for UUIDs anyway. */
function tokenOf({ random }: Runtime, hashed: boolean): string {
  return hashed ? toHex(random(32)) : toHex(random(16)).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

function databaseSessionsOf({ session = {} }: AuthConfig, common: Common, hasFormerName: boolean): SessionStrategy {
  const { runtime, security } = common
  const adapter = hasSessions(common.adapter) ? common.adapter : completed(common.adapter)
  const given = session.generateSessionToken
  const hashed = security.hashSessionTokens
  const generateSessionToken = given ?? (() => tokenOf(runtime, hashed))
  // A hashed row tells when the token was issued. Other tokens have to tell it themselves.
  const own = hasFormerName && !hashed && given === undefined ? markedTokens(common) : {}
  const options = { adapter, generateSessionToken, ...own, hashed, keepsAuthTime: keepsSignInTime(common) }
  return databaseSessions({ ...common, ...options })
}

/** An adapter that lacks methods fails where they are called, as in Auth.js v5. */
function completed(adapter: Adapter | undefined): Adapter & SessionStore {
  const missing = (method: string) => async (): Promise<never> => {
    throw new AdapterError(`The adapter lacks ${method}. Add the method, or use an adapter that has it`, { method })
  }
  return {
    createSession: missing("createSession"),
    getSessionAndUser: missing("getSessionAndUser"),
    updateSession: missing("updateSession"),
    deleteSession: missing("deleteSession"),
    ...adapter,
  }
}
