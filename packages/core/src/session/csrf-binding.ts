import type { SessionContext } from "../model/auth.js"
import type { SessionRequest } from "../model/http.js"
import { liveSession } from "./current.js"

/**
 * The user that a CSRF token is bound to. `undefined`: this browser has no session. Empty: it has one whose user isn't known.
 */
export async function csrfBinding(auth: SessionContext, request: SessionRequest): Promise<string | undefined> {
  try {
    const live = await liveSession(auth, request)
    return live === null ? undefined : (live.userId ?? "")
  } catch {
    // `liveSession` has logged why the database can't be reached.
    return ""
  }
}
