import { MissingCSRF } from "../errors.js"
import { denied, json } from "../http/outcome.js"
import type { Auth } from "../model/auth.js"
import type { Incoming, Outcome } from "../model/http.js"
import type { SessionUpdate } from "../model/session.js"
import { currentSession } from "../session/current.js"

/** Looking at the headers alone must not extend a session. */
const glance = { readOnly: true } as const

/** GET session: who is this? `null` when nobody is signed in. */
export async function readSession(auth: Auth, incoming: Incoming): Promise<Outcome> {
  const { session, cookies } = await currentSession(auth, incoming, incoming.method === "HEAD" ? glance : undefined)
  return json(session, cookies)
}

/** POST session: hands `data` to the callbacks and answers with what they made of it. */
export async function updateSession(auth: Auth, incoming: Incoming): Promise<Outcome> {
  if (!(await incoming.csrf.verified())) return denied(new MissingCSRF("The update was not sent from one of our pages"))
  const { session, cookies } = await currentSession(auth, incoming, { update: { data: updateOf(incoming) } })
  return json(session, cookies)
}

function updateOf({ body }: Incoming): SessionUpdate | undefined {
  const { data } = body
  // What it holds is for the callbacks to judge: it is the client's word.
  return data === undefined || data === null ? undefined : (data as SessionUpdate)
}
