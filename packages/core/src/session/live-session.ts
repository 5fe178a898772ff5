import { toBase64Url } from "../crypto/digest.js"
import { clockTolerance } from "../crypto/token-sealer.js"
import { clearCookie, setCookie } from "../http/cookie.js"
import type { Lifetime, SessionContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { SessionRequest } from "../model/http.js"
import type { LiveSession } from "../model/session-strategy.js"
import type { Authentication } from "../model/step-up.js"

/** How long ago a recent sign-in may be. Milliseconds. */
export const recentSignInMs: number = 15 * 60_000

/** A sign-in in the future comes from a wrong clock and proves nothing. */
export function isRecentSignIn(authenticatedAt: number | undefined, now: number): boolean {
  const age = now - (authenticatedAt ?? 0)
  return age <= recentSignInMs && age >= -clockTolerance * 1000
}

/**
 * The sign-in time of a session that has none stored, in milliseconds since 1970: now, so the session gets an absolute
 * end, but not recent enough to count as a recent sign-in.
 */
export function assumedSignInTime(now: number): number {
  return now - recentSignInMs - 1000
}

/** When a session ends even if it's used. Milliseconds since 1970; `absoluteMaxAge` is in seconds. */
export function absoluteEnd(authenticatedAt: number | undefined, absoluteMaxAge: number | undefined): number {
  if (absoluteMaxAge === undefined || authenticatedAt === undefined) return Number.POSITIVE_INFINITY
  return authenticatedAt + absoluteMaxAge * 1000
}

/** Adapters over serial columns return numbers, although ids are strings by contract. Compare and seal them as text. */
export function idText(id: string | number): string {
  return String(id)
}

interface Beginning {
  /** Milliseconds since 1970. `undefined`: not known. */
  readonly authenticatedAt: number | undefined
  /** The time was assumed later, so the session began at an unknown time before it. */
  readonly isAssumed: boolean
}

/**
 * Whether `session.notBefore` ended a session: it has passed, and the session isn't known to have begun later. The time of the
 * last renewal doesn't count, because a session that began before may have been renewed after.
 */
export function endedByCutOff(
  { notBefore }: Pick<Lifetime, "notBefore">,
  { authenticatedAt, isAssumed }: Beginning,
  now: number,
): boolean {
  if (notBefore === undefined || now < notBefore) return false
  // Also ends all of them if the date isn't valid, which a session reader doesn't check.
  return isAssumed || authenticatedAt === undefined || !(authenticatedAt >= notBefore)
}

const purpose = "sign-in time"

/** Seconds. A longer time isn't recent. */
const longest = 86_400

/** Whether the user signed in within `security.recentSignIn`. A sign-in at an unknown time isn't recent. */
export async function isRecent(auth: SessionContext, request: SessionRequest, live: LiveSession): Promise<boolean> {
  const signedInAt = await signInTime(auth, request, live)
  if (signedInAt === undefined) return false
  const age = auth.runtime.now() - signedInAt
  // A sign-in in the future comes from a wrong clock and proves nothing.
  return age <= maxAge(auth) * 1000 && age >= -clockTolerance * 1000
}

function maxAge({ security }: SessionContext): number {
  return Math.min(security.recentSignIn, longest)
}

/** Milliseconds since 1970. */
async function signInTime(
  auth: SessionContext,
  request: SessionRequest,
  live: LiveSession,
): Promise<number | undefined> {
  if (keepsSignInTime(auth)) return isAssumedTime(live) ? undefined : live.authenticatedAt
  // Without the setting, a claim of this name is the application's.
  const createdAt = live.row?.details?.createdAt
  return createdAt === undefined ? cookieTime(request, live) : new Date(createdAt).getTime()
}

function isAssumedTime({ token, content }: LiveSession): boolean {
  return content.kind === "sealed" ? content.claims["auth_time_assumed"] === true : isAssumed(token)
}

async function cookieTime({ scheme, cookies }: SessionRequest, { userId }: LiveSession): Promise<number | undefined> {
  const sealed = cookies.get(scheme.cookies.signInTime.name)
  if (sealed === undefined || userId === undefined) return undefined
  try {
    const { sub, at } = (await scheme.sealer.open(purpose, sealed)).payload
    return sub === userId && typeof at === "number" ? at : undefined
  } catch {
    return undefined
  }
}

/**
 * Remembers when the user signed in, if the session doesn't say it: those of Auth.js have no such claim or column. Only a sign-in
 * that leads to the account page sets the cookie, so all others set the same cookies as with Auth.js.
 */
export async function rememberSignIn(
  auth: SessionContext,
  { scheme, origin }: SessionRequest,
  { userId, to }: { readonly userId: string; readonly to: string },
): Promise<readonly SetCookie[]> {
  const { adapter, runtime } = auth
  if (adapter === undefined || keepsSignInTime(auth) || hasDetails(auth)) return []
  if (!isAccountPage(auth, new URL(to, origin), origin)) return []
  const cookie = scheme.cookies.signInTime
  const seconds = maxAge(auth)
  const sealed = await scheme.sealer.seal(purpose, { sub: userId, at: runtime.now() }, seconds)
  return [setCookie(cookie, sealed, { maxAge: seconds })]
}

function isAccountPage({ basePath, pages }: SessionContext, { origin, pathname }: URL, own: string): boolean {
  const page = new URL(pages.account ?? `${basePath}/account`, own)
  return origin === page.origin && pathname === page.pathname
}

function hasDetails({ adapter, strategy, security }: SessionContext): boolean {
  return adapter?.describeSession !== undefined && (strategy === "database" || security.revocableSessions)
}

export function forgetSignIn({ scheme, cookies }: Pick<SessionRequest, "scheme" | "cookies">): readonly SetCookie[] {
  const { signInTime: cookie } = scheme.cookies
  return cookies.has(cookie.name) ? [clearCookie(cookie)] : []
}

/**
 * Whether each session says when its user signed in. The absolute end of a session, linking with a recent sign-in and
 * `session.notBefore` depend on it.
 */
export function keepsSignInTime({ lifetime, security }: Pick<SessionContext, "lifetime" | "security">): boolean {
  const { absoluteMaxAge, notBefore } = lifetime
  return absoluteMaxAge !== undefined || notBefore !== undefined || security.linking === "explicit"
}

// The time of sign-in is part of the token of a stored session, since the row has no column for it. A changed token finds no row.

export interface SignInTime {
  /** Milliseconds since 1970. */
  readonly authenticatedAt: number
  /** The session began at an unknown time before it. */
  readonly isAssumed: boolean
  /** The {@link Authentication} as text. It may follow another time, and stands before it in the token. */
  readonly authentication?: string | undefined
}

/** A token that tells when its user signed in. */
export function withSignInTime(token: string, { authenticatedAt, isAssumed: assumed }: SignInTime): string {
  return `${token}.${Math.floor(authenticatedAt / 1000).toString(36)}${assumed ? assumedMark : ""}`
}

/** Follows a sign-in time that was assumed. */
const assumedMark = "~"

export function isAssumed(token: string): boolean {
  return token.endsWith(assumedMark)
}

export function authenticationOf(token: string): number | undefined {
  const seconds = /\.([0-9a-z]{6,8})~?$/.exec(token)?.[1]
  return seconds === undefined ? undefined : Number.parseInt(seconds, 36) * 1000
}

/** Without names, because a column may have 191 characters. */
export function encodeAuthentication({ auth_time, amr, acr, idp_auth_time, tag, id }: Authentication): string {
  const said = [auth_time, amr, acr, idp_auth_time, tag, ...(id ? [id] : [])]
  return toBase64Url(new TextEncoder().encode(JSON.stringify(said)))
}
