import { AuthError } from "../errors.js"
import { toRequest } from "../http/auth-request.js"
import type { SessionDetails } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import { plainLine } from "../primitives/plain-line.js"
import { within } from "../primitives/runtime.js"

/** Characters. */
const maxPlace = 100

/** A sign-in waits this long for the place. Milliseconds. */
const timeoutMs = 1000

/** The details of a new session with what `session.place` says. It's a help for the user, so a sign-in works without it. */
export async function withPlace(
  { place: placeOf, logger }: AuthContext,
  request: AuthRequest,
  details: SessionDetails,
): Promise<SessionDetails> {
  try {
    const given: unknown = await within(timeoutMs, placeOf?.(toRequest(request)), () => undefined)
    const place = typeof given === "string" ? plainLine(given, maxPlace) : null
    return place === null ? details : { ...details, place }
  } catch (cause) {
    logger.error(new AuthError("`session.place` failed; the session has no place", { cause }))
    return details
  }
}
