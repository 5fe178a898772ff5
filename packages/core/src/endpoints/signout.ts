import { InvalidConfig, SessionRequired, SessionTokenError, SignOutError, UnknownAction } from "../errors.js"
import { textOf, withRequest } from "../http/auth-request.js"
import { errorUrl, redirect } from "../http/respond.js"
import { callbackUrlOf, cookieAfter } from "../http/redirect.js"
import type { AuthContext, SessionContext } from "../model/auth.js"
import type { AuthRequest, AuthResult, SessionRequest } from "../model/http.js"
import { giveId, remember } from "../observability/error-reports.js"
import { foundSession, readFound, signOutCookies } from "../session/current.js"
import { maxSessionToken } from "../limits/of-input.js"
import type { LiveSession, SignOutMessage, SignOutScope } from "../model/session-strategy.js"
import { hasSeam, seamOf } from "../module/seam-of.js"
import { type FoundToken, tokenOf, version4Token } from "../session/session-cookie.js"

/** POST signout: ends the session in the database and in the browser, or those that the field `scope` names. */
export async function signOut(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const scope = scopeOf(request)
  const to = await callbackUrlOf(auth, request)
  if (scope === "others") {
    await endSessions(auth, request, scope)
    return redirect(to, cookieAfter(auth, request, to))
  }
  const leave = await leaving(auth, request, scope)
  if (scope === "all") await endSessions(auth, request, scope)
  const problem = await end(auth, request, scope)
  // The browser loses the session even if the database fails, so the next user of the browser doesn't find it.
  const cookies = [...signOutCookies(auth, request), ...cookieAfter(auth, request, to)]
  if (problem !== undefined)
    return redirect(errorUrl(auth, request, problem), cookies, { status: "error", error: problem })
  if (leave === undefined) return redirect(to, cookies, { status: "signed-out" })
  const { headers, ...left } = await leave(to)
  const result = redirect(left.to, [...cookies, ...left.cookies], { status: "signed-out" })
  return Object.assign(result, { headers })
}

/** What modules do after it. */
async function leaving(auth: AuthContext, request: AuthRequest, scope: Exclude<SignOutScope, "others">) {
  const leave = hasSeam(auth) ? await (await seamOf(auth)).leaving(auth, request, scope) : undefined
  if (scope === "federated" && leave === undefined) throw new InvalidConfig(federatedHint)
  return leave
}

const federatedHint = 'The scope "federated" of a sign-out needs `modules: [logout()]` of @latchkey/logout. Add it'

const scopes: ReadonlySet<unknown> = new Set<SignOutScope>(["this", "others", "all", "federated"])

/** @throws UnknownAction for a scope that isn't one: the user would think that more has ended */
function scopeOf({ body: { scope = "this" } }: AuthRequest): SignOutScope {
  if (scopes.has(scope)) return scope as SignOutScope
  throw new UnknownAction('`scope` is "this", "others", "all" or "federated"')
}

/** @throws UnsupportedByAdapter, UnsupportedStrategy or MissingAdapter if they can't be ended. No session has ended then */
async function endSessions(auth: AuthContext, request: AuthRequest, scope: "others" | "all"): Promise<void> {
  const functions = await auth.features.account?.(auth)
  try {
    await (scope === "all" ? functions?.revokeSessions : functions?.revokeOtherSessions)?.(auth, request)
  } catch (cause) {
    // A module may only want more than the session.
    if (scope === "others" || !(cause instanceof SessionRequired) || (await foundSession(auth, request))) throw cause
  }
}

/** If a session couldn't be ended, the user has to know (OWASP ASVS 7.4.1). */
async function end(auth: AuthContext, request: AuthRequest, scope: SignOutScope): Promise<SignOutError | undefined> {
  const ending = textOf(request.body["ending"])
  const former = ending === undefined ? { left: [] } : await endPending(request, ending)
  try {
    // A former session that is left must not keep the one of now alive.
    const message = await endSession(auth, request)
    const why = scope === "this" ? {} : { reason: scope }
    if (message !== undefined) await auth.events.signOut(withRequest({ ...message, ...why }, request))
    return former.left.length === 0 ? undefined : await report(auth, request, former.cause, former.left)
  } catch (cause) {
    return report(auth, request, cause, [...(await handleOfSession(auth, request)), ...former.left])
  }
}

/** `left`: sessions of a former try that are still valid. */
async function report(
  auth: AuthContext,
  request: AuthRequest,
  cause: unknown,
  left: readonly string[],
): Promise<SignOutError> {
  const text = "Could not end the session in the database; it stays valid until it expires"
  const problem = new SignOutError(text, { cause })
  giveId(problem, auth.runtime.random)
  auth.logger.error(problem)
  await auth.audit?.failed(problem, request)
  remember(auth, request, problem, await pendingEnding(request, left))
  return problem
}

/** A session to end, in a form of the page that says that the database failed. The browser has no session cookie anymore. */
const purpose = "signout-retry"

/** Seconds. */
const retryMaxAge = 3600

/** Every failed try of a user who signs in again adds a session. */
const maxHandles = 5

/** Names the session of this browser for a later try to end it. */
async function handleOfSession(auth: SessionContext, request: SessionRequest): Promise<readonly string[]> {
  const found = tokenOf(auth, request)
  const handle = found && (await request.scheme.sessions.handleOf(found.token, found.formerName))
  return handle === undefined ? [] : [handle]
}

/** Names sessions that couldn't be ended for a later try. It can end these sessions and nothing else. */
async function pendingEnding(
  { scheme }: Pick<SessionRequest, "scheme">,
  left: readonly string[],
): Promise<string | undefined> {
  const handles = [...new Set(left)].filter(({ length }) => length <= maxSessionToken).slice(0, maxHandles)
  return handles.length === 0 ? undefined : scheme.sealer.seal(purpose, { handles }, retryMaxAge)
}

/**
 * Ends the sessions that {@link pendingEnding} named. A text that was changed or has expired names none.
 *
 * @returns those that are still valid afterwards, with the reason
 */
async function endPending(
  { scheme }: Pick<SessionRequest, "scheme">,
  ending: string,
): Promise<{ readonly left: readonly string[]; readonly cause?: unknown }> {
  const results = await Promise.all(
    (await handlesIn(scheme, ending)).map(async (handle) => {
      try {
        await scheme.sessions.endHandle(handle)
        return undefined
      } catch (cause) {
        return { handle, cause }
      }
    }),
  )
  const failed = results.filter((result) => result !== undefined)
  return { left: failed.map(({ handle }) => handle), cause: failed[0]?.cause }
}

async function handlesIn({ sealer }: SessionRequest["scheme"], ending: string): Promise<readonly string[]> {
  try {
    const { handles } = (await sealer.open(purpose, ending)).payload
    return Array.isArray(handles) ? handles.filter((handle) => typeof handle === "string") : []
  } catch {
    return []
  }
}

/**
 * Ends the session of this browser in the database, even if it can't be read.
 *
 * @throws if the session is still valid afterwards
 */
export async function endSession(auth: SessionContext, request: SessionRequest): Promise<SignOutMessage | undefined> {
  const found = tokenOf(auth, request)
  if (found === undefined) return undefined
  const { sessions } = request.scheme
  await endVersion4Session(auth, request, found)
  let live: LiveSession | null
  try {
    live = await readFound(auth, request, found)
  } catch (cause) {
    auth.logger.error(new SessionTokenError("Could not read the session; it ends unread", { cause }))
    await sessions.revoke(found.token, found.formerName)
    return undefined
  }
  return live === null ? undefined : sessions.end(live)
}

/** While both versions run, version 4 may have started a session of its own in this browser. */
async function endVersion4Session(auth: SessionContext, request: SessionRequest, found: FoundToken): Promise<void> {
  const token = version4Token(auth, request)
  if (auth.strategy === "database" && token !== undefined && token !== found.token) {
    await request.scheme.sessions.revoke(token)
  }
}
