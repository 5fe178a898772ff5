import { isHostOnly, withHostPrefix } from "../http/cookie.js"
import type { Lifetime } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import type { Cookie, CookieKey, CookieOptions } from "../model/cookie.js"
import type { FlowCheck } from "../model/oauth-provider.js"
import type { RawProfile } from "../model/provider.js"
import type { Security } from "../model/security.js"
import type { TokenSet, User } from "../model/user.js"
import { defined } from "../primitives/defined.js"
import { isSiteUrl } from "../primitives/web-url.js"
import { merge } from "./merge.js"
import { securityMode, securityOf } from "./presets.js"

const day = 86_400
const month = 30 * day

export function lifetimeOf(config: AuthConfig): Lifetime {
  const maxAge = config.session?.maxAge ?? month
  const jwtMaxAge = config.jwt?.maxAge ?? maxAge
  return Object.freeze({
    maxAge,
    updateAge: updateAgeOf(config, { maxAge, jwtMaxAge }),
    jwtMaxAge,
    absoluteMaxAge: config.session?.absoluteMaxAge ?? (securityMode(config) === "strict" ? month : undefined),
    notBefore: notBeforeOf(config),
    ...stalenessOf(config),
  })
}

function notBeforeOf({ session }: AuthConfig): number | undefined {
  const date = session?.notBefore ?? undefined
  return date === undefined ? undefined : new Date(date).getTime()
}

/** Only a configured time is worth a cookie between two renewals. */
function stalenessOf(config: AuthConfig): Pick<Lifetime, "maxStaleness" | "sealsCheckEvery"> {
  const given = config.session?.revocation?.maxStaleness
  return {
    maxStaleness: given ?? (securityMode(config) === "strict" ? 300 : undefined),
    sealsCheckEvery: given === undefined ? undefined : Math.floor(given / 2),
  }
}

/**
 * Auth.js v5 writes the session cookie at every read. A session in use must not end because a longer `updateAge` keeps the
 * cookie from being written in time, so a tenth of its lifetime is the most. With rows in a database, v5 extends them as
 * `updateAge` says, and a row whose `updateAge` isn't shorter than `maxAge` would never be extended.
 */
function updateAgeOf(config: AuthConfig, { maxAge, jwtMaxAge }: Pick<Lifetime, "maxAge" | "jwtMaxAge">): number {
  const { session, cookies } = config
  const cookieMaxAge = cookies?.sessionToken?.options?.maxAge ?? Number.POSITIVE_INFINITY
  const updateAge = session?.updateAge ?? Math.min(day, Math.floor(maxAge / 10))
  const rowMaxAge = updateAge < maxAge ? Number.POSITIVE_INFINITY : maxAge
  const lasts = isSealed(config) ? Math.min(maxAge, jwtMaxAge) : rowMaxAge
  return Math.min(updateAge, Math.max(0, Math.floor(Math.min(lasts, cookieMaxAge) / 10)))
}

function isSealed({ session, adapter }: AuthConfig): boolean {
  return (session?.strategy ?? (adapter === undefined ? "jwt" : "database")) === "jwt"
}

type Prefix = Security["sessionCookiePrefix"]

/** Name without prefix, prefix over https, and lifetime in seconds. The session cookie lives as long as the session. */
const cookies: Readonly<Record<CookieKey, readonly [name: string, prefix: Prefix | "session", maxAge?: number]>> = {
  sessionToken: ["authjs.session-token", "session"],
  callbackUrl: ["authjs.callback-url", "__Secure-", 3600],
  csrfToken: ["authjs.csrf-token", "__Host-"],
  pkceCodeVerifier: ["authjs.pkce.code_verifier", "__Secure-", 900],
  state: ["authjs.state", "__Secure-", 900],
  nonce: ["authjs.nonce", "__Secure-", 900],
  webauthnChallenge: ["authjs.challenge", "__Secure-", 900],
  device: ["authjs.device", "__Host-", 180 * day],
  attempt: ["authjs.attempt", "__Host-", 600],
  lastUsed: ["authjs.last-used", "__Host-", 365 * day],
  signInTime: ["authjs.sign-in-time", "__Host-", day],
  pendingSignIn: ["authjs.pending-sign-in", "__Host-", 600],
}

export const cookieKeys: readonly CookieKey[] = Object.keys(cookies).filter(isCookieKey)

function isCookieKey(key: string): key is CookieKey {
  return Object.hasOwn(cookies, key)
}

/** Names and attributes of every cookie. `secure`: the site is served over https. */
export function cookieTable(config: AuthConfig, secure: boolean): Readonly<Record<CookieKey, Cookie>> {
  const sessionPrefix = securityOf(config).sessionCookiePrefix
  const cookie = (key: CookieKey): Cookie => {
    const [baseName, prefix, maxAge] = cookies[key]
    const given = config.cookies?.[key]
    // `__Host-` keeps subdomains from setting the cookie. That matters for sign-in attempts as much as for sessions.
    const hardened = prefix === "session" || sessionPrefix === "__Host-" ? sessionPrefix : prefix
    const name = secure ? `${hardened}${baseName}` : baseName
    const options: CookieOptions = {
      httpOnly: true,
      sameSite: "lax",
      path: "/",
      secure,
      ...(maxAge === undefined ? {} : { maxAge }),
    }
    return Object.freeze({ name: given?.name ?? name, options: Object.freeze(merge(options, given?.options)) })
  }
  return Object.freeze({
    sessionToken: cookie("sessionToken"),
    callbackUrl: cookie("callbackUrl"),
    csrfToken: cookie("csrfToken"),
    pkceCodeVerifier: cookie("pkceCodeVerifier"),
    state: cookie("state"),
    nonce: cookie("nonce"),
    webauthnChallenge: cookie("webauthnChallenge"),
    device: cookie("device"),
    attempt: cookie("attempt"),
    lastUsed: cookie("lastUsed"),
    signInTime: cookie("signInTime"),
    pendingSignIn: cookie("pendingSignIn"),
  })
}

/**
 * Auth.js v5 has a cookie for each check, and an application may have configured any of them, for instance a domain for
 * callbacks on another subdomain. So one cookie for all checks takes over what is configured for those that are made. The
 * options of another cookie don't count: `sameSite: "strict"` on a cookie that Auth.js never sets must not break a sign-in.
 * The same holds for a name that browsers refuse over plain http.
 */
export function flowCookieOf(config: AuthConfig, secure: boolean, checks: ReadonlySet<FlowCheck>): Cookie {
  let { name, options } = cookieTable({ ...config, cookies: {} }, secure).state
  name = stateName(config, secure) ?? name
  for (const [check, key] of checkCookies) {
    const counts = checks.has(check) || (check === "state" && securityMode(config) === "strict")
    const given = counts ? config.cookies?.[key] : undefined
    name = given?.name ?? name
    options = merge(options, given?.options)
  }
  return withHostPrefix({ name, options })
}

function stateName({ cookies }: AuthConfig, secure: boolean): string | undefined {
  const name = cookies?.state?.name
  return name !== undefined && !secure && /^__(?:Host|Secure)-/i.test(name) ? undefined : name
}

/** The last one that is configured wins. */
const checkCookies: readonly (readonly [FlowCheck, CookieKey])[] = [
  ["state", "state"],
  ["nonce", "nonce"],
  ["pkce", "pkceCodeVerifier"],
]

/** Names that the session cookie had before `__Host-` was configured. They are read once and replaced. */
export function formerSessionCookies(config: AuthConfig, secure: boolean): readonly Cookie[] {
  const { sessionToken } = cookieTable(config, secure)
  if (!secure || !sessionToken.name.startsWith("__Host-") || config.cookies?.sessionToken?.name !== undefined) return []
  return [Object.freeze({ ...sessionToken, name: `__Secure-${cookies.sessionToken[0]}` })]
}

/**
 * Marks a browser that signed out under a `__Host-` name. A sibling domain can set cookies under the former names, and a user
 * who signed out must not be signed in by one.
 */
export function endedCookieOf(config: AuthConfig, secure: boolean, isOtherNameAccepted: boolean): Cookie | undefined {
  const { sessionToken } = cookieTable(config, secure)
  if (!secure || !isOtherNameAccepted || !isHostOnly(sessionToken)) return undefined
  const { maxAge, jwtMaxAge } = lifetimeOf(config)
  const options: CookieOptions = {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure,
    maxAge: Math.ceil(Math.max(maxAge, jwtMaxAge)),
  }
  return Object.freeze({ name: "__Host-authjs.ended", options: Object.freeze(options) })
}

/** A leading slash and no trailing one. Empty for the root. */
export function basePathOf(config: Pick<AuthConfig, "basePath" | "url">): string {
  return normalPath(config.basePath ?? pathOf(config.url) ?? "/auth")
}

/** Turns `a//b/` into `/a/b`. */
export function normalPath(path: string): string {
  const segments = path.split("/").filter((segment) => segment !== "")
  return segments.length === 0 ? "" : `/${segments.join("/")}`
}

/** The path of an http(s) URL, unless it is the root. */
export function pathOf(url: string | undefined): string | undefined {
  if (!isSiteUrl(url)) return undefined
  return normalPath(new URL(url).pathname) || undefined
}

/** Maps standard claims to a user (OpenID Connect Core §5.1). A numeric id becomes a string. */
export function defaultProfile(profile: RawProfile): User {
  const { sub, id, name, nickname, preferred_username: username, email, picture } = profile
  const user = {
    id: text(sub ?? id) ?? undefined,
    name: text(name ?? nickname ?? username),
    email: text(email),
    image: text(picture),
  }
  return defined(user)
}

function text(value: unknown): string | null | undefined {
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  return typeof value === "string" || value === null ? value : undefined
}

/** The standard fields of a token response. */
export function defaultAccount(tokens: TokenSet): TokenSet {
  const { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state } = tokens
  return defined({ access_token, id_token, refresh_token, expires_at, scope, token_type, session_state })
}
