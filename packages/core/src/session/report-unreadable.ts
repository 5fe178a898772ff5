import { noSecretOpens, tokenExpired } from "../crypto/token-sealer.js"
import { JWTSessionError } from "../errors.js"
import type { SessionContext } from "../model/auth.js"
import type { JWTOptions } from "../model/config.js"
import type { SchemeContext, SessionStrategy } from "../model/session-strategy.js"
import { createThrottle } from "../observability/throttle.js"
import { stateOf } from "../primitives/state.js"

/** Milliseconds. */
const minute = 60_000

const throttleOf = stateOf("unreadable-sessions", () => createThrottle({ intervalMs: minute, maxListeners: 10 }))

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

interface Opening {
  readonly jwt: JWTOptions
  readonly sealer: SchemeContext["sealer"]
  /** Cookie names that a token may be sealed for; the first is the current one. */
  readonly salts: readonly [string, ...string[]]
}

/** Why a sealed session was refused. `undefined`: it expired or was revoked, which isn't an error. */
export async function whyUnreadable(
  { jwt, sealer, salts }: Opening,
  token: string,
  formerName: string | undefined,
): Promise<string | undefined> {
  if (jwt.decode !== undefined) return "`jwt.decode` returned no claims"
  let reason: string | undefined
  for (const salt of formerName === undefined ? salts : [formerName]) {
    try {
      await sealer.open(salt, token)
      return undefined
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : ""
      if (message === tokenExpired) return undefined
      reason = message === noSecretOpens ? "none of the secrets opens it" : (reason ?? "it's damaged")
    }
  }
  return reason
}
