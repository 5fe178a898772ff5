import { JWTSessionError } from "../errors.js"
import type { SessionContext } from "../model/auth.js"
import type { LiveSession } from "../model/session-strategy.js"
import type { JWT } from "../model/session.js"
import type { Awaitable } from "../model/user.js"
import { createThrottle } from "../observability/throttle.js"
import { stateOf } from "../primitives/state.js"
import { type Adoption, formerSid, isFormerSid } from "./adoption.js"
import { idText } from "./live-session.js"
import { type Revocation, storedToken } from "./revocation.js"
import { sealedContent, sidOf, withClaims } from "./token-codec.js"

/** What decides whether a sealed session was revoked. */
export interface StoredSessions
  extends Pick<
    SessionContext,
    "formerSessionsUntil" | "lifetime" | "logger" | "logSink" | "runtime" | "site" | "security"
  > {
  /** `undefined`: sessions aren't revocable, or the database isn't at hand. */
  readonly revocation: Revocation | undefined
  /** How sessions from before they were revocable get a row. Set if `revocation` is. */
  readonly adoption: Adoption | undefined
  /** Set if the configuration has no adapter. */
  readonly unchecked: Unchecked | undefined
}

/** The session, if it wasn't revoked. @throws UncheckedSession */
export function accepted(environment: StoredSessions, live: LiveSession): Awaitable<LiveSession | null> {
  const { revocation, unchecked: given } = environment
  if (revocation !== undefined) return acceptedByRow(environment, revocation, live)
  // Not awaited: without a database, reading a session takes no further turn of the event loop.
  return given === undefined ? live : unchecked(environment, given, live, sealedContent(live).claims)
}

async function acceptedByRow(
  environment: StoredSessions,
  revocation: Revocation,
  live: LiveSession,
): Promise<LiveSession | null> {
  const sid = sidOf(live)
  if (sid === undefined) return adoptFormer(environment, live)
  const row = await revocation.find(sid)
  if (row === undefined || (live.userId !== undefined && row.userId !== live.userId)) return null
  return { ...live, rowExpires: row.expires, row: { key: row.key, details: row.details } }
}

/** When the database had the session last, in seconds since 1970. */
export function checkedAt({ revocation, runtime }: StoredSessions, sid: string | undefined): number | undefined {
  return revocation === undefined || sid === undefined ? undefined : Math.floor(runtime.now() / 1000)
}

/** The session gets a `sid` and a row, unless it has ended. It's written again with the `sid`. */
async function adoptFormer(environment: StoredSessions, live: LiveSession): Promise<LiveSession | null> {
  const { adoption, runtime, formerSessionsUntil } = environment
  const { userId, expires } = live
  const { claims } = sealedContent(live)
  // Without a user it can have no row, so nothing could end it.
  if (userId === undefined || !(runtime.now() < formerSessionsUntil)) return null
  const sid = await formerSid(live.token, claims)
  const tokenExpires = typeof claims.exp === "number" ? claims.exp * 1000 : undefined
  if (!(await adoption?.adopt({ sid, userId, expires, tokenExpires }))) return null
  warnOfFormer(environment)
  const row = { key: await storedToken(sid), details: undefined }
  return { ...withClaims(live, { ...claims, sid }), outdated: true, row }
}

interface Opened {
  readonly claims: JWT
}

/** Ends the session of a token, whether it was read or not. */
export async function endStored(environment: StoredSessions, token: string, opened: Opened | null): Promise<void> {
  if (opened === null) return
  if (environment.revocation === undefined) return assertUnrevocable(environment.unchecked, opened.claims)
  const handle = await storedHandle(environment, token, opened)
  if (handle !== undefined) await endByHandle(environment, handle)
}

/** Names a revocable session without its claims. */
export async function storedHandle(
  { revocation }: StoredSessions,
  token: string,
  opened: Opened | null,
): Promise<string | undefined> {
  if (revocation === undefined || opened === null) return undefined
  const { sid: known, sub } = opened.claims
  const sid = typeof known === "string" ? known : await formerSid(token, opened.claims)
  return JSON.stringify([sid, sub === undefined ? null : idText(sub)])
}

/** The key of the row of a session that was just issued, or else its token. */
export async function storedKey({ revocation }: StoredSessions, token: string, opened: Opened | null): Promise<string> {
  const sid = revocation === undefined ? undefined : opened?.claims["sid"]
  return typeof sid === "string" ? storedToken(sid) : token
}

export async function endByHandle({ revocation, adoption }: StoredSessions, handle: string): Promise<void> {
  // Only `storedHandle` makes them.
  const [sid, userId] = JSON.parse(handle) as [string, string | null]
  if (!isFormerSid(sid)) await revocation?.revoke(sid)
  else if (userId !== null) await adoption?.end({ sid, userId })
}

/** Otherwise the user would think that the session has ended. */
function assertUnrevocable(given: Unchecked | undefined, claims: JWT): void {
  if (given === undefined || !isRevocable(claims, given.isDeclared)) return
  throw new JWTSessionError("The session can't be ended without the adapter. Add it to the configuration")
}

export function isCheckDue(
  { lifetime, revocation, runtime }: StoredSessions,
  { sid, checked_at: seconds }: JWT,
): boolean {
  const { sealsCheckEvery } = lifetime
  if (revocation === undefined || sealsCheckEvery === undefined || typeof sid !== "string") return false
  return typeof seconds !== "number" || runtime.now() >= (seconds + sealsCheckEvery) * 1000
}

/** Like {@link extend}, but writes nothing. */
export async function checked({ revocation }: StoredSessions, live: LiveSession): Promise<string | false | undefined> {
  const sid = sidOf(live)
  return sid === undefined || revocation === undefined ? sid : (await revocation.holds(sid)) && sid
}

/** The `sid`, or `false` if the session was revoked since it was read. */
export async function extend(
  { logger, revocation }: StoredSessions,
  live: LiveSession,
  expires: Date,
): Promise<string | false | undefined> {
  const sid = sidOf(live)
  if (revocation === undefined || sid === undefined) return sid
  try {
    return (await revocation.extend(sid, expires)) && sid
  } catch (cause) {
    // The row existed a moment ago, and a session that can't be extended is still valid.
    logger.error(new JWTSessionError("Could not extend the session in the database", { cause }))
    return sid
  }
}

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

type Environment = Pick<SessionContext, "lifetime" | "logSink" | "logger" | "runtime" | "security" | "site">

/**
 * A session as a server without the adapter may use it: never extended, and only for `session.revocation.maxStaleness` after
 * the database had it last. A session that can't be revoked stays as it is.
 *
 * @throws UncheckedSession
 */
function unchecked(environment: Environment, given: Unchecked, live: LiveSession, claims: JWT): LiveSession {
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
function isRevocable({ sid, checked_at }: JWT, isConfigured: boolean): boolean {
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

const throttleOf = stateOf("unchecked-sessions", () => createThrottle({ maxListeners: 10 }))

function warnOnce(environment: Environment, detail: string): void {
  if (!throttleOf(environment).allows(detail, environment.logSink, 0)) return
  environment.logger.warn("revocation-unchecked", detail)
}

/** At startup, if the configuration says that sessions are revocable. Otherwise the first such session tells. */
export function warnOfUnchecked(environment: Environment): void {
  warnOnce(environment, noticeOf(environment.lifetime.maxStaleness))
}

const formerThrottleOf = stateOf("former-sessions", () => createThrottle({ maxListeners: 10 }))

/** Warns once that a session of a less strict configuration was accepted, unless the configuration says when that ends. */
export function warnOfFormer(auth: Pick<SessionContext, "site" | "logger" | "logSink" | "formerSessionsUntil">): void {
  if (auth.formerSessionsUntil !== Number.POSITIVE_INFINITY) return
  if (!formerThrottleOf(auth).allows("former", auth.logSink, 0)) return
  auth.logger.warn(
    "former-sessions",
    "A session from before the switch to stricter settings was accepted. Set `security.formerSessionsUntil` to the date when such sessions end",
  )
}
