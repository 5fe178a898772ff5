import { clockTolerance } from "../crypto/token-sealer.js"
import type { AuthContext } from "../model/auth.js"
import type { CallbacksOptions } from "../model/callbacks.js"
import type { JWTOptions } from "../model/config.js"
import type { Issued, LiveSession, Renewal, SchemeContext, SessionStrategy } from "../model/session-strategy.js"
import type { JWT, Session } from "../model/session.js"
import type { Version4 } from "../model/version4.js"
import { type Awaitable, andThen } from "../primitives/awaitable.js"
import { defined } from "../primitives/defined.js"
import { type KeyedMutex, createBoundedMap, createKeyedMutex, stateOfClock } from "../primitives/state.js"
import { jwtAtRead, jwtAtSignIn } from "./jwt-callback.js"
import { absoluteEnd, assumedSignInTime, endedByCutOff, idText } from "./live-session.js"
import { whyUnreadable } from "./report-unreadable.js"
import { OversizedSession, assertFits, warnOfSize } from "./session-size.js"
import {
  type StoredSessions,
  accepted,
  checked,
  checkedAt,
  endByHandle,
  endStored,
  extend,
  isCheckDue,
  storedHandle,
  storedKey,
} from "./stored-sessions.js"
import { type DecodedToken, sealedContent, tokenCodec, withClaims } from "./token-codec.js"
import { version4Codec } from "../compat/version4-codec.js"

export interface JwtSessionsOptions
  extends StoredSessions,
    Pick<AuthContext, "callbacks" | "rules" | "site" | "secrets" | "stepUp"> {
  readonly jwt: JWTOptions
  readonly sealer: SchemeContext["sealer"]
  /** Cookie names that a token may be sealed for; the first is the current one. */
  readonly salts: readonly [string, ...string[]]
  /** The time of sign-in goes into the claims as `auth_time`. */
  readonly keepsAuthTime: boolean
  readonly version4: Version4 | undefined
}

type SessionParams = Parameters<NonNullable<CallbacksOptions["session"]>>[0]
type Update = Parameters<SessionStrategy["renew"]>[1]

/** Strategy `"jwt"`: the cookie contains the session. */
export function jwtSessions(environment: JwtSessionsOptions): SessionStrategy {
  const { callbacks, lifetime, runtime, revocation } = environment
  const idleAge = Math.min(lifetime.maxAge, lifetime.jwtMaxAge)
  const own = tokenCodec({ ...environment, maxAge: lifetime.jwtMaxAge })
  const { encode, decode, adopt, isVersion4 } = version4Codec(own, { ...environment, maxAge: lifetime.maxAge })

  const idleEnd = (): Date => new Date(runtime.now() + idleAge * 1000)
  const issue = async (claims: JWT): Promise<Issued> => {
    const token = await encode(claims)
    assertFits(token, claims)
    warnOfSize(environment, token, claims)
    const end = Math.min(idleEnd().getTime(), absoluteEnd(authenticationOf(claims), lifetime.absoluteMaxAge))
    return { token, expires: new Date(end) }
  }

  const renew = renewer(environment, { idleEnd, issue })

  function accept(token: string, opened: DecodedToken | null): Awaitable<LiveSession | null> {
    if (opened === null) return null
    const live = toLive(token, opened, { idleAge, absoluteMaxAge: lifetime.absoluteMaxAge, now: runtime.now() })
    if (isIdle(live, runtime.now()) || absoluteEnd(live.authenticatedAt, lifetime.absoluteMaxAge) <= runtime.now())
      return null
    if (endedByCutOff(lifetime, beginningOf(opened.claims), runtime.now())) return null
    return accepted(environment, live)
  }

  const openAny = async (token: string, formerName: string | undefined) =>
    (await decode(token, formerName)) ?? adopt(token)

  return {
    read: (token, formerName) => andThen(decode(token, formerName), (opened) => accept(token, opened)),

    whyUnreadable: async (token, formerName) =>
      (await isVersion4(token)) ? undefined : whyUnreadable(environment, token, formerName),

    adopt: async (token) => accept(token, await adopt(token)),

    async start(identity, details, continued) {
      const claims = await jwtAtSignIn(environment, identity)
      if (claims === null) return null
      const sid = await revocation?.issue(identity.user.id, idleEnd(), details)
      const { authentication } = identity
      const now = { auth_time: Math.floor(runtime.now() / 1000), authentication }
      const times = signInClaims(environment, continued === undefined ? now : sealedContent(continued).claims)
      return issue({ ...claims, ...defined({ ...times, sid, checked_at: checkedAt(environment, sid) }) })
    },

    renew,

    present(live, update) {
      const { claims } = sealedContent(live)
      const session = plainSession(claims, live.expires)
      if (callbacks.session === undefined) return session
      const trigger = update === undefined ? {} : { trigger: "update", newSession: update.data }
      // The public type has the keys of both strategies; only these exist for this one.
      return callbacks.session({ session, token: claims, ...trigger } as unknown as SessionParams)
    },

    async end(live) {
      const { claims } = sealedContent(live)
      await endStored(environment, live.token, { claims })
      return { token: claims }
    },

    revoke: async (token, formerName) => endStored(environment, token, await openAny(token, formerName)),

    handleOf: async (token, formerName) => storedHandle(environment, token, await openAny(token, formerName)),

    keyOf: async (token) => storedKey(environment, token, await decode(token)),

    endHandle: async (handle) => endByHandle(environment, handle),
    endRow: async (key) => revocation?.revokeRow(key),

    endAll: async (userId) => environment.adoption?.endAll(userId),
  }
}

function beginningOf(claims: JWT) {
  return { authenticatedAt: authenticationOf(claims), isAssumed: claims["auth_time_assumed"] === true }
}

/** `"check"`: only the time of the check in the database is new. */
type Due = "extension" | "check"

interface Issuer {
  idleEnd(): Date
  issue(claims: JWT): Promise<Issued>
}

/** Runs the `jwt` callback and issues a new token if it's due, changed, outdated or updated. */
function renewer(environment: JwtSessionsOptions, { idleEnd, issue }: Issuer): SessionStrategy["renew"] {
  const { callbacks, lifetime, runtime } = environment
  const { jwt } = callbacks
  const successors = rotationCacheOf(environment)

  async function reconsider(live: LiveSession, update: Update, readOnly: boolean) {
    const { claims: sent, text } = sealedContent(live)
    const latest = successors.latestFor(live.token) ?? sent
    const claims = await jwtAtRead(environment, latest, update)
    if (claims === null) return { kind: "end" } as const
    const changed = JSON.stringify(claims) !== text
    if (changed) successors.remember(live.token, claims)
    if (readOnly) return { kind: "keep", live: withClaims(live, claims) } as const
    const due = dueFor(live, changed || update !== undefined)
    if (due === undefined) return { kind: "keep", live } as const
    // The next request doesn't start from claims that don't fit.
    return issueAgain(live, claims, due, () => successors.remember(live.token, latest))
  }

  /** Another token of the session may have been written since, to record a check. Its row tells when it was extended. */
  const isRowDue = ({ rowExpires }: LiveSession): boolean =>
    rowExpires !== undefined && rowExpires <= idleEnd().getTime() - lifetime.updateAge * 1000

  /** Why a token has to be written again. `undefined`: it stays. */
  function dueFor(live: LiveSession, asked: boolean): Due | undefined {
    const { claims } = sealedContent(live)
    if (asked || live.outdated || isDue(claims, lifetime.updateAge, runtime.now()) || isRowDue(live)) return "extension"
    return live.sealsCheck === true || isCheckDue(environment, claims) ? "check" : undefined
  }

  /** `sid` and what says when the user signed in stay what they were, whatever the callback returns. With claims that don't fit, so does all of it. */
  async function issueAgain(live: LiveSession, claims: JWT, due: Due, oversized?: () => void): Promise<Renewal> {
    const { claims: sent } = sealedContent(live)
    const sid = due === "extension" ? await extend(environment, live, idleEnd()) : await checked(environment, live)
    if (sid === false) return { kind: "end" }
    const times = { ...signInClaims(environment, sent), checked_at: checkedAt(environment, sid) }
    const kept: JWT = { ...claims, ...defined({ ...times, sid }) }
    try {
      const issued = await issue(kept)
      return { kind: "issue", issued, live: { ...withClaims(live, kept), expires: issued.expires.getTime() } }
    } catch (cause) {
      if (!(cause instanceof OversizedSession)) throw cause
      oversized?.()
      environment.logger.error(cause)
      return { kind: "keep", live }
    }
  }

  return (live, update, isReadOnly = false) => {
    const readOnly = isReadOnly || live.isFixed === true
    if (jwt !== undefined) {
      return successors.runExclusive(live.token, () => reconsider(live, update, readOnly))
    }
    const due = readOnly ? undefined : dueFor(live, update !== undefined)
    if (due === undefined) return { kind: "keep", live }
    return issueAgain(live, sealedContent(live).claims, due)
  }
}

/** A session without a sign-in time gets an assumed one. Otherwise it would never reach its absolute end. */
function signInClaims({ keepsAuthTime, stepUp, runtime }: JwtSessionsOptions, sent: JWT) {
  const { auth_time: known, auth_time_assumed, authentication } = sent
  const own = stepUp ? { authentication } : {}
  if (!keepsAuthTime) return own
  if (known !== undefined) return { ...own, auth_time: known, auth_time_assumed }
  return { ...own, auth_time: Math.floor(assumedSignInTime(runtime.now()) / 1000), auth_time_assumed: true }
}

interface Limits {
  /** Seconds. */
  readonly idleAge: number
  readonly absoluteMaxAge: number | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

function toLive(token: string, { claims, text, outdated }: DecodedToken, limits: Limits): LiveSession {
  const { idleAge, absoluteMaxAge, now } = limits
  const { exp, iat, sub } = claims
  // A token from a custom `decode` may have no times. It ends at `exp`, or after the idle time.
  const end = Math.min(exp ?? Number.POSITIVE_INFINITY, (iat ?? Math.floor(now / 1000)) + idleAge)
  const authenticatedAt = authenticationOf(claims)
  return {
    token,
    userId: sub === undefined ? undefined : idText(sub),
    expires: Math.min(end * 1000, absoluteEnd(authenticatedAt, absoluteMaxAge)),
    authenticatedAt,
    outdated,
    content: { kind: "sealed", claims, text },
  }
}

/** `jwt.maxAge` may be longer than `session.maxAge`, and a copied token has no cookie lifetime. */
function isIdle({ expires }: LiveSession, now: number): boolean {
  return expires + clockTolerance * 1000 <= now
}

/** Milliseconds since 1970. */
function authenticationOf({ auth_time: seconds }: JWT): number | undefined {
  return typeof seconds === "number" ? seconds * 1000 : undefined
}

function isDue({ iat }: JWT, updateAge: number, now: number): boolean {
  return iat === undefined || iat + updateAge <= Math.floor(now / 1000)
}

function plainSession({ name, email, picture }: JWT, expires: number): Session {
  return { user: defined({ name, email, image: picture }), expires: new Date(expires).toISOString() }
}

const maxTokens = 5000

/** Characters of tokens and claims. With claims of a usual size, there's room for 5000 tokens. */
const maxCharacters = 8_000_000

/** The latest claims for session tokens that a browser may still send, in the memory of this process. */
interface RotationCache {
  latestFor(token: string): JWT | undefined
  remember(token: string, claims: JWT): void
  /** Requests with the same token run their `jwt` callback one after the other. */
  readonly runExclusive: KeyedMutex["runExclusive"]
}

/**
 * A `jwt` callback may use up a refresh token in a request whose response can't set cookies, or whose cookie hasn't
 * reached the browser when it sends the next request. That next request continues with the latest claims, so the callback
 * doesn't use the same refresh token twice.
 */
export function createRotationCache(capacity: number = maxTokens): RotationCache {
  const weigh = (token: string, claims: JWT) => token.length + JSON.stringify(claims).length
  const latest = createBoundedMap<string, JWT>({ entries: capacity, weight: maxCharacters, weigh })
  return {
    latestFor: (token) => latest.get(token),
    remember: (token, claims) => latest.set(token, claims),
    runExclusive: createKeyedMutex().runExclusive,
  }
}

const rotationCacheOf = stateOfClock("rotation-cache", () => createRotationCache())
