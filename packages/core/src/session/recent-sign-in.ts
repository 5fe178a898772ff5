import { clockTolerance } from "../crypto/token-sealer.js"
import { clearCookie, setCookie } from "../http/cookie.js"
import type { SessionContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { SessionRequest } from "../model/http.js"
import type { LiveSession } from "../model/session-strategy.js"
import { isAssumed, keepsSignInTime } from "./sign-in-time.js"

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
