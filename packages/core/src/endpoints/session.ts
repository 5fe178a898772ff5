import { json } from "../http/auth-result.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult } from "../model/http.js"
import type { SessionUpdate } from "../model/session.js"
import { currentSession } from "../session/current.js"

/** Looking at the headers alone must not extend a session. */
const glance = { readOnly: true } as const

/** GET session: who is this? `null` when nobody is signed in. */
export async function readSession(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const { session, cookies } = await currentSession(auth, request, request.method === "HEAD" ? glance : undefined)
  return json(session, cookies)
}

/** POST session: hands `data` to the callbacks and answers with what they made of it. */
export async function updateSession(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const { session, cookies } = await currentSession(auth, request, { update: { data: updateOf(request) } })
  return json(session, cookies)
}

function updateOf({ body }: AuthRequest): SessionUpdate | undefined {
  const { data } = body
  // What it holds is for the callbacks to judge: it is the client's word.
  return data === undefined || data === null ? undefined : (data as SessionUpdate)
}
