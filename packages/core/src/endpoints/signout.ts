import { MissingCSRF, SignOutError } from "../errors.js"
import { clearCookie } from "../http/cookie.js"
import { askedUrl } from "../http/incoming.js"
import { denied, redirect } from "../http/outcome.js"
import { resolveCallbackUrl } from "../http/redirect.js"
import { withRequest } from "../http/request.js"
import { errorUrl } from "../http/respond.js"
import type { Auth } from "../model/auth.js"
import type { Incoming, Outcome } from "../model/http.js"
import { dropAll, endSession } from "../session/current.js"

/** POST signout: ends the session in the store and in the browser. */
export async function signOut(auth: Auth, incoming: Incoming): Promise<Outcome> {
  if (!(await incoming.csrf.verified()))
    return denied(new MissingCSRF("The sign-out was not sent from one of our pages"))
  const { realm, cookies } = incoming
  const remembered = cookies.get(realm.cookies.callbackUrl.name)
  const to = await resolveCallbackUrl(auth, incoming, askedUrl(incoming) ?? remembered)
  const problem = await end(auth, incoming)
  const used = remembered === undefined ? [] : [clearCookie(realm.cookies.callbackUrl)]
  // The browser forgets the session in every case: whoever uses it next must not find it (spec/flows.md §7).
  return redirect(problem === undefined ? to : errorUrl(auth, incoming, problem), [...dropAll(incoming), ...used])
}

/** A session that could not be ended is told to the person too: they asked for its end (ASVS 7.4.1). */
async function end(auth: Auth, incoming: Incoming): Promise<SignOutError | undefined> {
  try {
    const message = await endSession(auth, incoming)
    if (message !== undefined) await auth.events.signOut(withRequest({ ...message }, incoming))
    return undefined
  } catch (cause) {
    const text = "The session could not be ended in the store: it lives there until it expires"
    const problem = new SignOutError(text, { cause })
    auth.logger.error(problem)
    return problem
  }
}
