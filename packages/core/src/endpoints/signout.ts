import { MissingCSRF, SignOutError } from "../errors.js"
import { clearCookie } from "../http/cookie.js"
import { textOf } from "../http/incoming.js"
import { denied, redirect } from "../http/outcome.js"
import { resolveCallbackUrl } from "../http/redirect.js"
import { withRequest } from "../http/request.js"
import type { Auth } from "../model/auth.js"
import type { Incoming, Outcome } from "../model/http.js"
import { dropAll, liveSession } from "../session/current.js"

/** POST signout: ends the session in the store and in the browser. */
export async function signOut(auth: Auth, incoming: Incoming): Promise<Outcome> {
  if (!(await incoming.csrf.verified()))
    return denied(new MissingCSRF("The sign-out was not sent from one of our pages"))
  const { realm, cookies, body, query } = incoming
  const remembered = cookies.get(realm.cookies.callbackUrl.name)
  const to = await resolveCallbackUrl(
    auth,
    incoming,
    textOf(body["callbackUrl"]) ?? textOf(query["callbackUrl"]) ?? remembered,
  )
  await endSession(auth, incoming)
  const used = remembered === undefined ? [] : [clearCookie(realm.cookies.callbackUrl)]
  return redirect(to, [...dropAll(incoming), ...used])
}

async function endSession(auth: Auth, incoming: Incoming): Promise<void> {
  const live = await liveSession(auth, incoming)
  if (live === null) return
  try {
    const message = await incoming.realm.sessions.end(live)
    await auth.events.signOut(withRequest({ ...message }, incoming))
  } catch (cause) {
    auth.logger.error(
      new SignOutError("The session could not be ended in the store: it lives there until it expires", { cause }),
    )
  }
}
