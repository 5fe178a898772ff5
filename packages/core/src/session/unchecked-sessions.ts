import { JWTSessionError } from "../errors.js"
import type { SessionContext } from "../model/auth.js"
import type { JWT } from "../model/session.js"
import type { LiveSession } from "../model/session-strategy.js"
import { createThrottle } from "../observability/throttle.js"
import { scopedToApplication } from "../primitives/state.js"

/** What a server without the adapter knows of the site. */
export interface Unchecked {
  /** The configuration says that sessions are revocable: by `session.revocation` or `security.revocableSessions`. */
  readonly isDeclared: boolean
  /** Only reads sessions. Another server starts them, and that one may have an adapter. */
  readonly isReader: boolean
}

/**
 * The session has to be checked against the database, and this server doesn't have it. Another server may accept the session,
 * so the cookie stays.
 */
export class UncheckedSession extends JWTSessionError {}

type Environment = Pick<SessionContext, "lifetime" | "logSink" | "logger" | "application" | "runtime" | "security">

/**
 * A session as a server without the adapter may use it: never extended, and only for `session.revocation.maxStaleness` after
 * the database had it last. A session that can't be revoked stays as it is.
 *
 * @throws UncheckedSession
 */
export function unchecked(environment: Environment, given: Unchecked, live: LiveSession, claims: JWT): LiveSession {
  const { lifetime, runtime, security } = environment
  const { isDeclared, isReader } = given
  if (isRevocable(claims, security.revocableSessions || isDeclared)) {
    warnOnce(environment, noticeOf(lifetime.maxStaleness))
    if (isStale(claims, lifetime.maxStaleness, runtime.now())) throw new UncheckedSession(stale)
    return { ...live, isFixed: true }
  }
  const isFormer = isDeclared || (security.revocableSessions && isReader && live.outdated)
  if (!isFormer) return live
  warnOnce(environment, formerRefused)
  throw new UncheckedSession(formerRefused)
}

/** Without the configuration's word, `checked_at` tells: an application may have a `sid` of its own. */
export function isRevocable({ sid, checked_at }: JWT, isConfigured: boolean): boolean {
  return typeof sid === "string" && (isConfigured || typeof checked_at === "number")
}

function isStale({ checked_at: seconds }: JWT, maxStaleness: number | undefined, now: number): boolean {
  if (maxStaleness === undefined) return false
  return typeof seconds !== "number" || now - seconds * 1000 > maxStaleness * 1000
}

const stale = "The database has to confirm the session first. Read it on a server that has the adapter"

const formerRefused =
  "A session from before sessions were revocable isn't accepted without the adapter. If this site has no database, set `security.revocableSessions` to false"

function noticeOf(maxStaleness: number | undefined): string {
  const text = "Sessions are read without the adapter, so one that was revoked is still accepted"
  const limit =
    maxStaleness === undefined
      ? "until it expires. Set `session.revocation.maxStaleness` on all servers, or pass the adapter"
      : `for up to ${maxStaleness} seconds (\`session.revocation.maxStaleness\`)`
  return `${text} ${limit}. They aren't extended here`
}

const throttleOf = scopedToApplication("unchecked-sessions", () => createThrottle({ maxListeners: 10 }))

function warnOnce(environment: Environment, detail: string): void {
  if (!throttleOf(environment).allows(detail, environment.logSink, 0)) return
  environment.logger.warn("revocation-unchecked", detail)
}

/** At startup, if the configuration says that sessions are revocable. Otherwise the first such session tells. */
export function warnOfUnchecked(environment: Environment): void {
  warnOnce(environment, noticeOf(environment.lifetime.maxStaleness))
}
