import { SignOutError } from "../errors.js"
import { clearCookie } from "../http/cookie.js"
import { requestedCallbackUrl } from "../http/auth-request.js"
import { redirect } from "../http/auth-result.js"
import { resolveCallbackUrl } from "../http/redirect.js"
import { withRequest } from "../http/request.js"
import { errorUrl } from "../http/respond.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult } from "../model/http.js"
import { clearSessionCookies, endSession } from "../session/current.js"

/** POST signout: ends the session in the store and in the browser. */
export async function signOut(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const { scheme, cookies } = request
  const remembered = cookies.get(scheme.cookies.callbackUrl.name)
  const to = await resolveCallbackUrl(auth, request, requestedCallbackUrl(request) ?? remembered)
  const problem = await end(auth, request)
  const used = remembered === undefined ? [] : [clearCookie(scheme.cookies.callbackUrl)]
  // The browser forgets the session in every case: whoever uses it next must not find it (spec/flows.md §7).
  return redirect(problem === undefined ? to : errorUrl(auth, request, problem), [
    ...clearSessionCookies(request),
    ...used,
  ])
}

/** A session that could not be ended is told to the person too: they asked for its end (ASVS 7.4.1). */
async function end(auth: AuthContext, request: AuthRequest): Promise<SignOutError | undefined> {
  try {
    const message = await endSession(auth, request)
    if (message !== undefined) await auth.events.signOut(withRequest({ ...message }, request))
    return undefined
  } catch (cause) {
    const text = "The session could not be ended in the store: it lives there until it expires"
    const problem = new SignOutError(text, { cause })
    auth.logger.error(problem)
    return problem
  }
}
