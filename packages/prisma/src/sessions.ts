import { isStorable, type SessionMethods } from "@latchkey/core/adapters"
import type { Delegate } from "./client.js"
import { ownerOf, sessionOf, userOf } from "./rows.js"
import type { Store } from "./store.js"

/** One query if the client has the preview feature `relationJoins`, else two. */
export function sessionReader(store: Store, sessions: Delegate): SessionMethods["getSessionAndUser"] {
  return async (sessionToken) => {
    if (typeof sessionToken !== "string" || !isStorable(sessionToken)) return null
    const query = { where: { sessionToken }, include: { user: true } }
    const row = await store.read(() => sessions.findFirst(query), null)
    const user = ownerOf(row)
    // MySQL may find a session whose token differs in case.
    if (row?.["sessionToken"] !== sessionToken || user === undefined) return null
    return { session: sessionOf(row), user: userOf(store.models.user, user) }
  }
}
