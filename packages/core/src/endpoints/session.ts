import { json, redirect } from "../http/respond.js"
import { resolveCallbackUrl, toPage } from "../http/redirect.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult } from "../model/http.js"
import type { LiveSession } from "../model/session-strategy.js"
import type { Awaitable } from "../model/user.js"
import { type SessionView, currentSession } from "../session/current.js"
import { receivedUpdate } from "../session/received-update.js"

const readOnly = { readOnly: true } as const

/** GET session: the session, or `null` when no user is signed in, with status 503 if that isn't known. HEAD doesn't extend it. */
export function readSession(auth: AuthContext, request: AuthRequest): Awaitable<AuthResult> {
  const { returnTo } = request.query
  const isRevocable = auth.strategy === "jwt" && auth.security.revocableSessions
  if (isRevocable && request.method === "GET" && typeof returnTo === "string")
    return checkSession(auth, request, returnTo)
  return currentSession(auth, request, request.method === "HEAD" ? readOnly : undefined).then(answer)
}

/**
 * A server without the adapter sends the browser here when it needs a newer check of the session. If the browser gets no
 * cookie, that server would send it here again, so it goes to the sign-in page.
 */
async function checkSession(auth: AuthContext, request: AuthRequest, returnTo: string): Promise<AuthResult> {
  const to = await resolveCallbackUrl(auth, request, returnTo)
  const { cookies, error } = await currentSession(auth, request, { sealsCheck: true })
  if (error !== undefined) throw error
  return redirect(cookies.length > 0 ? to : toPage(request, "signin", { callbackUrl: to }), cookies)
}

/** POST session: passes what a browser may send of `data` to the callbacks, and returns the updated session. */
export async function updateSession(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const { data } = request.body
  const update = { sender: "browser", data: (live: LiveSession) => receivedUpdate(auth, data, live) } as const
  return answer(await currentSession(auth, request, { update }))
}

/** A client must not take an outage for a sign-out. The body stays `null`, because clients of Auth.js read it whatever the status. */
function answer({ session, cookies, error }: SessionView): AuthResult {
  return json(session, cookies, error === undefined ? 200 : 503)
}
