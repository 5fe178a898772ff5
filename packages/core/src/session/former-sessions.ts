import type { SessionContext } from "../model/auth.js"
import { createThrottle } from "../observability/throttle.js"
import { stateOf } from "../primitives/state.js"

const throttleOf = stateOf("former-sessions", () => createThrottle({ maxListeners: 10 }))

/** Warns once that a session of a less strict configuration was accepted, unless the configuration says when that ends. */
export function warnOfFormer(auth: Pick<SessionContext, "site" | "logger" | "logSink" | "formerSessionsUntil">): void {
  if (auth.formerSessionsUntil !== Number.POSITIVE_INFINITY) return
  if (!throttleOf(auth).allows("former", auth.logSink, 0)) return
  auth.logger.warn(
    "former-sessions",
    "A session from before the switch to stricter settings was accepted. Set `security.formerSessionsUntil` to the date when such sessions end",
  )
}
