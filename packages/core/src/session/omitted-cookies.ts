import { type AuthError, JWTSessionError, SessionTokenError } from "../errors.js"
import type { SessionContext } from "../model/auth.js"
import { createThrottle } from "../observability/throttle.js"
import { scopedToSite } from "../primitives/state.js"

/** Milliseconds. */
const minute = 60_000

const throttleOf = scopedToSite("omitted-cookies", () => createThrottle({ intervalMs: minute, maxListeners: 10 }))

/**
 * The session may be in a cookie beyond the limits, so the visitor doesn't count as signed out, and no cookie is removed. Any
 * visitor can send such a request, so it's logged once a minute.
 */
export function omittedCookies(auth: SessionContext): AuthError {
  const Kind = auth.strategy === "jwt" ? JWTSessionError : SessionTokenError
  const error = new Kind(
    "A request has too many cookies, or too long ones, and no session in those that are read. Remove cookies that this domain doesn't need",
  )
  if (throttleOf(auth).allows("omitted", auth.logSink, auth.runtime.now())) auth.logger.error(error)
  return error
}
