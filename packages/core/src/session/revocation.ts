import { sha256 } from "../crypto/digest.js"
import { SessionTokenError } from "../errors.js"
import { maxSessions } from "../limits/of-growth.js"
import type { Adapter, SessionDetails } from "../model/adapter.js"
import type { AuthContext, SessionContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { Logger } from "../model/logger.js"
import { eachAtOnce } from "../primitives/awaitable.js"
import type { Runtime } from "../primitives/runtime.js"
import { createBoundedMap, stateOf } from "../primitives/state.js"
import { describe, detailsIn } from "./details.js"
import { idText } from "./live-session.js"

/**
 * Makes JWT sessions revocable: each has a `sid` claim and is valid only while the database has a session row for it.
 * "Sign out everywhere" and deleting a user therefore end JWT sessions too.
 */
export interface Revocation {
  issue(userId: string, expires: Date, details?: SessionDetails): Promise<string>
  store(sid: string, userId: string, expires: Date): Promise<void>
  holds(sid: string): Promise<boolean>
  /** The row of a session that hasn't ended. */
  find(sid: string): Promise<RevocationRow | undefined>
  /** `false`: the row is gone, so the session was revoked. */
  extend(sid: string, expires: Date): Promise<boolean>
  /** `true`: there was a row. Not every adapter says so. */
  revoke(sid: string): Promise<boolean>
  /** The same, by the `sessionToken` of the row. */
  revokeRow(key: string): Promise<void>
}

interface RevocationRow {
  /** The `sessionToken` of the row. */
  readonly key: string
  readonly details: SessionDetails | undefined
  readonly userId: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

export type SessionStore = Required<
  Pick<Adapter, "createSession" | "getSessionAndUser" | "updateSession" | "deleteSession">
>

/** Whether sessions have rows in the database. */
export function hasRows({ strategy, security }: Pick<SessionContext, "strategy" | "security">): boolean {
  return strategy === "database" || security.revocableSessions
}

export function hasSessions(adapter: Adapter | undefined): adapter is Adapter & SessionStore {
  return (
    adapter?.createSession !== undefined &&
    adapter.getSessionAndUser !== undefined &&
    adapter.updateSession !== undefined &&
    adapter.deleteSession !== undefined
  )
}

interface RevocationOptions {
  readonly adapter: SessionStore & Pick<Adapter, "describeSession">
  readonly runtime: Pick<Runtime, "now" | "uuid">
  readonly logger: Logger
}

export function revocation({ adapter, runtime, logger }: RevocationOptions): Revocation {
  async function find(sid: string): Promise<RevocationRow | undefined> {
    const key = await storedToken(sid)
    const found = await adapter.getSessionAndUser(key)
    if (!found) return undefined
    const { session, user } = found
    const expires = new Date(session.expires).getTime()
    if (!(expires > runtime.now())) return undefined
    return { key, userId: idText(user.id), expires, details: detailsIn(adapter, session) }
  }

  const holds = async (sid: string): Promise<boolean> => (await find(sid)) !== undefined

  async function store(sid: string, userId: string, expires: Date): Promise<void> {
    await adapter.createSession({ sessionToken: await storedToken(sid), userId, expires })
  }

  return {
    find,
    holds,
    store,
    async issue(userId, expires, details) {
      const sid = runtime.uuid()
      await store(sid, userId, expires)
      await describe({ adapter, logger }, await storedToken(sid), details)
      return sid
    },
    async extend(sid, expires) {
      const updated = await adapter.updateSession({ sessionToken: await storedToken(sid), expires })
      return updated ? true : holds(sid)
    },
    async revoke(sid) {
      const deleted = await adapter.deleteSession(await storedToken(sid))
      // Some adapters return a result of the database, whether there was a row or not.
      return typeof deleted === "object" && deleted !== null && "sessionToken" in deleted
    },
    async revokeRow(key) {
      await adapter.deleteSession(key)
    },
  }
}

/** A hash stolen from the database must not work as a token, and the prefix tells them apart. */
const hashPrefix = "sha256:"

/** The session token as it's stored: a hash, which can be compared but not used. */
export async function storedToken(token: string): Promise<string> {
  return hashPrefix + (await sha256(token))
}

/** In any spelling that a database may take for it. Some adapters return the token that was asked for, not the one in the row. */
export function isStoredForm(token: string): boolean {
  const spelled = token.normalize("NFKD").replace(/[^!-~]/g, "")
  return spelled.toLowerCase().startsWith(hashPrefix)
}

/** Sign-ins of a user in this process after which their sessions are counted. The others cost no query. */
const every = 20

const signIns = stateOf("sign-ins", () => createBoundedMap<string, number>(10_000))

/** How many end at once. A user with more from before has less after each time. */
const maxEnded = 100

/**
 * Ends the oldest sessions of a user who has too many, as far as the adapter can list them. A program that signs in for each of its
 * requests would otherwise fill the database, and the account page of the user. Runs before the next session starts, because that
 * one may expire before the others.
 */
export async function endSurplusSessions(auth: AuthContext, request: AuthRequest, userId: string): Promise<void> {
  const { adapter, logger } = auth
  if (!hasRows(auth) || adapter?.listSessions === undefined || !isDue(auth, userId)) return
  try {
    const rows = await adapter.listSessions(userId, maxSessions + maxEnded)
    const latest = rows.toSorted((one, other) => timeOf(other.expires) - timeOf(one.expires))
    const surplus = latest.slice(maxSessions).slice(-maxEnded)
    await eachAtOnce(surplus, ({ sessionToken }) => request.scheme.sessions.endRow(sessionToken))
    if (surplus.length > 0) logger.debug("session.surplus", () => ({ userId, ended: surplus.length }))
  } catch (cause) {
    logger.error(new SessionTokenError("Could not end the oldest sessions of a user who has too many", { cause }))
  }
}

function isDue(auth: AuthContext, userId: string): boolean {
  const count = ((signIns(auth).get(userId) ?? 0) + 1) % every
  signIns(auth).set(userId, count)
  return count === 0
}

function timeOf(expires: Date): number {
  return new Date(expires).getTime() || 0
}
