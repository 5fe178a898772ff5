import { isHostOnly } from "../http/cookie.js"
import { isRepeated } from "../http/repeated-cookie.js"
import type { SessionContext } from "../model/auth.js"
import type { SessionRequest } from "../model/http.js"
import { readSessionCookie } from "./session-cookie.js"

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
