import type { AuthConfig } from "../model/config.js"
import type { CookieOption, CookieOptions, CookiesOptions } from "../model/cookie.js"
import type { PagesOptions } from "../model/pages.js"
import { parseTrust } from "../config/env/variables.js"

/** Options that are objects. JavaScript applications may pass `null` for one. */
const groups = [
  "session",
  "jwt",
  "callbacks",
  "events",
  "pages",
  "theme",
  "i18n",
  "cookies",
  "logger",
  "modules",
  "experimental",
  "adapter",
  "useSecureCookies",
  "trustHost",
  "basePath",
  "url",
  "redirectProxyUrl",
  "secret",
  "security",
  "rateLimit",
  "runtime",
] as const satisfies readonly (keyof AuthConfig)[]

/** The configuration with `undefined` for `null`. */
export function withoutNulls(config: AuthConfig): AuthConfig {
  const empty = groups.filter((name) => config[name] === null)
  return empty.length === 0 ? config : { ...config, ...Object.fromEntries(empty.map((name) => [name, undefined])) }
}

/**
 * The configuration that the engine uses: values that `check` reports and that Auth.js v5 works with are replaced by what
 * they mean there. A configuration without such problems stays as it is.
 */
export function repaired(given: AuthConfig): AuthConfig {
  const config = withoutNulls(given)
  return {
    ...config,
    secret: textsOf(config.secret),
    useSecureCookies: flagOf(config.useSecureCookies),
    redirectProxyUrl: config.redirectProxyUrl || undefined,
    trustHost: trustOf(config.trustHost),
    session: sessionOf(config),
    jwt: jwtOf(config),
    pages: pagesOf(config.pages),
    cookies: cookiesOf(config.cookies),
  }
}

/** An empty secret isn't a secret: everyone knows the key that is derived from it. */
function textsOf(given: AuthConfig["secret"]): AuthConfig["secret"] {
  if (typeof given === "string") return given || undefined
  const texts = [given ?? []].flat().filter((secret) => typeof secret === "string" && secret !== "")
  return texts.length === 0 ? undefined : texts
}

function trustOf(trust: unknown): AuthConfig["trustHost"] {
  if (trust === undefined || typeof trust === "boolean" || Array.isArray(trust)) return trust
  return typeof trust === "string" ? parseTrust(trust) : Boolean(trust)
}

/** The number that a text stands for, as in `maxAge: process.env.MAX_AGE`. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value
  return typeof value === "string" && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined
}

function sessionOf({ session, adapter }: AuthConfig): AuthConfig["session"] {
  if (session === undefined) return undefined
  const { generateSessionToken, ...rest } = session
  return {
    ...rest,
    strategy: strategyOf(rest.strategy, adapter),
    maxAge: numberOf(rest.maxAge),
    updateAge: updateAgeOf(rest.updateAge),
    ...(typeof generateSessionToken === "function" && {
      generateSessionToken: generateSessionToken.bind(session),
    }),
  }
}

/** Auth.js v5 treats every other value as "database". */
function strategyOf(strategy: unknown, adapter: AuthConfig["adapter"]): "jwt" | "database" | undefined {
  if (strategy === undefined || strategy === null) return undefined
  return strategy === "database" || (strategy !== "jwt" && adapter !== undefined) ? "database" : "jwt"
}

/** Auth.js v5 extends at every read if the number is negative, and never if there is no number. */
function updateAgeOf(value: unknown): number | undefined {
  if (value === undefined) return undefined
  const number = value === null ? 0 : (numberOf(value) ?? Number(value))
  return Number.isNaN(number) ? Number.POSITIVE_INFINITY : Math.max(0, number)
}

function jwtOf({ jwt }: AuthConfig): AuthConfig["jwt"] {
  if (jwt === undefined) return undefined
  const { encode, decode, ...rest } = jwt
  return {
    ...rest,
    secret: textsOf(rest.secret),
    maxAge: numberOf(rest.maxAge),
    ...(typeof encode === "function" && { encode: encode.bind(jwt) }),
    ...(typeof decode === "function" && { decode: decode.bind(jwt) }),
  }
}

/** An empty page means the built-in one. */
function pagesOf(pages: PagesOptions | undefined): PagesOptions | undefined {
  if (pages === undefined) return undefined
  return Object.fromEntries(Object.entries(pages).filter(([, page]) => typeof page === "string" && page !== ""))
}

function cookiesOf(cookies: CookiesOptions | undefined): CookiesOptions | undefined {
  if (cookies === undefined) return undefined
  const given = Object.entries(cookies).filter(([, cookie]) => typeof cookie === "object" && cookie !== null)
  return Object.fromEntries(
    given.map(([key, { name, options }]): [string, CookieOption] => [key, { name, options: attributesOf(options) }]),
  )
}

/** Auth.js v5 writes no attribute for an empty value, such as that of an unset environment variable. */
function attributesOf(options: CookieOptions | undefined): CookieOptions | undefined {
  if (options === undefined || options === null) return undefined
  const { domain, path, sameSite, expires, priority, secure, httpOnly, partitioned, ...rest } = options
  return {
    ...rest,
    domain: domain || undefined,
    // Browsers treat an empty path like none (RFC 6265bis §5.6.4).
    path: path === undefined ? undefined : path || "",
    sameSite: sameSite === undefined ? undefined : sameSite || false,
    expires: expires || undefined,
    priority: priority || undefined,
    secure: flagOf(secure),
    httpOnly: flagOf(httpOnly),
    partitioned: flagOf(partitioned),
  }
}

function flagOf(value: unknown): boolean | undefined {
  return value === undefined ? undefined : Boolean(value)
}
