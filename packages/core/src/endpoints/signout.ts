import { SignOutError } from "../errors.js"
import { textOf, withRequest } from "../http/auth-request.js"
import { redirect } from "../http/auth-result.js"
import { callbackUrlOf, cookieAfter } from "../http/redirect.js"
import { errorUrl } from "../http/respond.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult } from "../model/http.js"
import { giveId, remember } from "../observability/error-reports.js"
import { signOutCookies } from "../session/current.js"
import { endPending, endSession, handleOfSession, pendingEnding } from "../session/ending.js"

/** POST signout: ends the session in the database and in the browser. */
export async function signOut(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const to = await callbackUrlOf(auth, request)
  const problem = await end(auth, request)
  // The browser loses the session even if the database fails, so the next user of the browser doesn't find it.
  const url = problem === undefined ? to : errorUrl(auth, request, problem)
  const cookies = [...signOutCookies(auth, request), ...cookieAfter(auth, request, to)]
  return redirect(url, cookies, problem === undefined ? { status: "signed-out" } : { status: "error", error: problem })
}

/** If a session couldn't be ended, the user has to know (OWASP ASVS 7.4.1). */
async function end(auth: AuthContext, request: AuthRequest): Promise<SignOutError | undefined> {
  const ending = textOf(request.body["ending"])
  const former = ending === undefined ? { left: [] } : await endPending(request, ending)
  try {
    // A former session that is left must not keep the one of now alive.
    const message = await endSession(auth, request)
    if (message !== undefined) await auth.events.signOut(withRequest({ ...message }, request))
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
