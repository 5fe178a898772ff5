import { json } from "../http/auth-result.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult } from "../model/http.js"
import { currentSession } from "../session/current.js"
import { receivedUpdate } from "../session/received-update.js"

const readOnly = { readOnly: true } as const

/** GET session: the session, or `null` when no user is signed in. HEAD doesn't extend it. */
export async function readSession(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const { session, cookies } = await currentSession(auth, request, request.method === "HEAD" ? readOnly : undefined)
  return json(session, cookies)
}

/** POST session: passes what a browser may send of `data` to the callbacks, and returns the updated session. */
export async function updateSession(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const { data } = request.body
  const { session, cookies } = await currentSession(auth, request, {
    update: { sender: "browser", data: (live) => receivedUpdate(auth, data, live) },
  })
  return json(session, cookies)
}
