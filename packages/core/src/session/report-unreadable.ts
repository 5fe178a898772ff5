import { JWTSessionError } from "../errors.js"
import type { SessionContext } from "../model/auth.js"
import type { SessionStrategy } from "../model/session-strategy.js"
import { createThrottle } from "../observability/throttle.js"
import { scopedToApplication } from "../primitives/state.js"

/** Milliseconds. */
const minute = 60_000

const throttleOf = scopedToApplication("unreadable-sessions", () =>
  createThrottle({ intervalMs: minute, maxListeners: 10 }),
)

interface Unreadable {
  readonly token: string
  readonly formerName: string | undefined
}

/**
 * Logs that a session cookie can't be read, so that a server with another secret doesn't sign users out in silence. Anyone can
 * send such a cookie, so each cause is logged once a minute.
 */
export async function reportUnreadable(
  auth: SessionContext,
  sessions: SessionStrategy,
  { token, formerName }: Unreadable,
): Promise<void> {
  const reason = await sessions.whyUnreadable(token, formerName)
  if (reason === undefined || !throttleOf(auth).allows(reason, auth.logSink, auth.runtime.now())) return
  const text = `A session cookie can't be read, so the visitor counts as signed out: ${reason}`
  const advice =
    "Check that every server has the same AUTH_SECRET, and that the cookie isn't one of another application"
  auth.logger.error(new JWTSessionError(`${text}. ${advice}`, { cause: new Error(reason) }))
}
