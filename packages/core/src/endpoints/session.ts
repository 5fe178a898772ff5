import { json } from "../http/auth-result.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult } from "../model/http.js"
import type { SessionUpdate } from "../model/session.js"
import { currentSession } from "../session/current.js"

const readOnly = { readOnly: true } as const

/** GET session: the session, or `null` when no user is signed in. HEAD doesn't extend it. */
export async function readSession(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const { session, cookies } = await currentSession(auth, request, request.method === "HEAD" ? readOnly : undefined)
  return json(session, cookies)
}

/** POST session: passes `data` to the callbacks and returns the updated session. */
export async function updateSession(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const { data } = request.body
  // Unchecked data from the client. The callbacks decide what counts.
  const update = data === undefined || data === null ? undefined : (data as SessionUpdate)
  const { session, cookies } = await currentSession(auth, request, { update: { data: update } })
  return json(session, cookies)
}
