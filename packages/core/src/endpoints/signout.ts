import { SignOutError } from "../errors.js"
import { withRequest } from "../http/auth-request.js"
import { redirect } from "../http/auth-result.js"
import { callbackUrlOf, cookieAfter } from "../http/callback-url.js"
import { errorUrl } from "../http/respond.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult } from "../model/http.js"
import { signOutCookies } from "../session/current.js"
import { endPending, endSession } from "../session/ending.js"

/** POST signout: ends the session in the database and in the browser. */
export async function signOut(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const to = await callbackUrlOf(auth, request)
  const problem = await end(auth, request)
  // The browser loses the session even if the database fails, so the next user of the browser doesn't find it.
  const url = problem === undefined ? to : errorUrl(auth, request, problem)
  return redirect(url, [...signOutCookies(auth, request), ...cookieAfter(auth, request, to)])
}

/** If the session couldn't be ended, the user has to know (OWASP ASVS 7.4.1). */
async function end(auth: AuthContext, request: AuthRequest): Promise<SignOutError | undefined> {
  try {
    const { ending } = request.body
    if (typeof ending === "string") await endPending(request, ending)
    const message = await endSession(auth, request)
    if (message !== undefined) await auth.events.signOut(withRequest({ ...message }, request))
    return undefined
  } catch (cause) {
    const text = "Could not end the session in the database; it stays valid until it expires"
    const problem = new SignOutError(text, { cause })
    auth.logger.error(problem)
    return problem
  }
}
