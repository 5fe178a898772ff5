import { type AuthError, JWTSessionError, SessionTokenError } from "../errors.js"
import { clearCookie, isHostOnly, setCookie } from "../http/cookie.js"
import type { SessionContext } from "../model/auth.js"
import type { Cookie, CookieOptions, SetCookie } from "../model/cookie.js"
import type { Cookies, SessionRequest } from "../model/http.js"
import type { Issued } from "../model/session-strategy.js"
import { createThrottle } from "../observability/throttle.js"
import { stateOf } from "../primitives/state.js"
import { chunkLength } from "./session-size.js"

/**
 * The token in the cookie of this name, or in its chunks `.0`, `.1`, … without gaps. All chunks but the last are as long
 * as the first, so a chunk after a shorter one is left over from another token.
 */
export function readSessionCookie(cookies: Cookies, name: string): string | undefined {
  const whole = cookies.get(name)
  if (whole !== undefined && whole !== "") return whole
  const first = cookies.get(`${name}.0`)
  if (first === undefined || first === "") return undefined
  let joined = first
  let part: string | undefined = first
  for (let index = 1; part?.length === first.length; index++) {
    part = cookies.get(`${name}.${index}`)
    joined += part ?? ""
  }
  return joined
}

/**
 * The cookies that hold a token, and the removal of chunks that it no longer needs. `now` is in milliseconds since 1970. It
 * matters only if the configuration sets `maxAge`.
 */
export function writeSessionCookie(
  cookie: Cookie,
  { token, expires }: Issued,
  present: Cookies,
  now = 0,
): readonly SetCookie[] {
  const written = new Map<string, SetCookie>()
  for (const name of presentNames(present, cookie.name)) written.set(name, clearCookie(cookie, name))
  const lifetime = lifetimeOf(cookie, expires, now)
  for (const [name, value] of split(cookie.name, token))
    written.set(name, setCookie({ ...cookie, name }, value, lifetime))
  return [...written.values()]
}

/** In browsers, `Max-Age` wins over `Expires`. A configured one must not be longer than the session. */
function lifetimeOf(
  { options: { maxAge } }: Cookie,
  expires: Date,
  now: number,
): Pick<CookieOptions, "maxAge" | "expires"> {
  if (maxAge === undefined) return { expires }
  return { expires, maxAge: Math.max(0, Math.min(maxAge, Math.floor((expires.getTime() - now) / 1000))) }
}

/** Removes the cookie of this name and its chunks. */
export function clearSessionCookie(cookie: Cookie, present: Cookies): readonly SetCookie[] {
  return presentNames(present, cookie.name).map((name) => clearCookie(cookie, name))
}

function split(name: string, token: string): readonly (readonly [string, string])[] {
  if (token.length <= chunkLength) return [[name, token]]
  const count = Math.ceil(token.length / chunkLength)
  return Array.from({ length: count }, (_, index) => {
    const start = index * chunkLength
    return [`${name}.${index}`, token.slice(start, start + chunkLength)] as const
  })
}

function presentNames(cookies: Cookies, name: string): string[] {
  return [...cookies.keys()].filter((key) => key === name || isPart(key, name))
}

function isPart(key: string, name: string): boolean {
  return key.startsWith(`${name}.`) && /^\d{1,2}$/.test(key.slice(name.length + 1))
}

/** Milliseconds. */
const minute = 60_000

const throttleOf = stateOf("omitted-cookies", () => createThrottle({ intervalMs: minute, maxListeners: 10 }))

/**
 * The session may be in a cookie beyond the limits, so the visitor doesn't count as signed out, and no cookie is removed. Any
 * visitor can send such a request, so it's logged once a minute.
 */
export function omittedCookies(auth: SessionContext): AuthError {
  const Kind = auth.strategy === "jwt" ? JWTSessionError : SessionTokenError
  const error = new Kind(
    "A request has too many cookies, or too long ones, and no session in those that are read. Remove cookies that this domain doesn't need",
  )
  if (throttleOf(auth).allows("omitted", auth.logSink, auth.runtime.now())) auth.logger.error(error)
  return error
}

export interface FoundToken {
  readonly token: string
  /** `"former"`: the cookie has a name that is no longer written. `"version4"`: next-auth 4 wrote it. */
  readonly kind: "current" | "former" | "version4"
  /** The name that the token must have been issued for. `undefined`: any. */
  readonly formerName: string | undefined
}

/**
 * The session token under the current cookie name, under a name from before `security: "strict"`, or under that of
 * version 4. An own cookie always comes first, even if its session has ended. Otherwise a session that was revoked, or that
 * another user started, would be followed by the one from before the switch.
 */
export function tokenOf(auth: SessionContext, request: SessionRequest): FoundToken | undefined {
  const { scheme, cookies } = request
  const token = readSessionCookie(cookies, scheme.cookies.sessionToken.name)
  if (token !== undefined) return { token, kind: "current", formerName: undefined }
  const other = formerToken(auth, request) ?? version4Found(auth, request)
  return other === undefined || isPlanted(auth, request, other.name) ? undefined : other
}

interface OtherToken extends FoundToken {
  readonly name: string
}

function formerToken(auth: SessionContext, { scheme, cookies }: CookieContext): OtherToken | undefined {
  for (const { name } of acceptsFormer(auth) ? scheme.formerSessionCookies : []) {
    const token = readSessionCookie(cookies, name)
    if (token !== undefined) return { token, kind: "former", name, formerName: isHostBound(scheme) ? name : undefined }
  }
  return undefined
}

function version4Found(auth: SessionContext, request: CookieContext): OtherToken | undefined {
  const token = version4Token(auth, request)
  const name = request.scheme.version4?.sessionToken.name
  if (token === undefined || name === undefined) return undefined
  return { token, kind: "version4", name, formerName: isHostBound(request.scheme) ? name : undefined }
}

/**
 * A sibling domain can set a cookie under any name but that of a `__Host-` session. So a session under another name isn't
 * accepted in a browser that signed out under the `__Host-` name, or which sends several cookies with the other name: one is
 * the user's, and the order doesn't tell which one.
 */
function isPlanted(auth: SessionContext, { scheme, cookies, headers }: SessionRequest, name: string): boolean {
  if (!isHostBound(scheme)) return false
  const isEnded = scheme.endedCookie !== undefined && cookies.has(scheme.endedCookie.name)
  const refused = isEnded || isRepeated(headers.get("cookie"), name)
  if (refused) auth.logger.debug("session.former-refused", () => ({ name, reason: isEnded ? "ended" : "repeated" }))
  return refused
}

/** Until `security.formerSessionsUntil`. */
function acceptsFormer({ runtime, formerSessionsUntil }: SessionContext): boolean {
  return runtime.now() < formerSessionsUntil
}

export type CookieContext = Pick<SessionRequest, "scheme" | "cookies">

export function version4Token({ runtime }: SessionContext, { scheme, cookies }: CookieContext): string | undefined {
  const { version4 } = scheme
  if (version4 === undefined || version4.isShared) return undefined
  const token = readSessionCookie(cookies, version4.sessionToken.name)
  return token !== undefined && runtime.now() < version4.until ? token : undefined
}

function isHostBound({ cookies }: CookieContext["scheme"]): boolean {
  return isHostOnly(cookies.sessionToken)
}

/** Whether a `Cookie` header has several cookies with this name, or with one of its parts (`name.0`), and different values. */
function isRepeated(header: string | null, name: string): boolean {
  const found = new Map<string, string>()
  for (const pair of header?.split(";") ?? []) {
    const [key = ""] = pair.split("=", 1)
    const own = key.trim()
    if (own !== name && !own.startsWith(`${name}.`)) continue
    const value = pair.slice(key.length + 1).trim()
    if ((found.get(own) ?? value) !== value) return true
    found.set(own, value)
  }
  return false
}
