import { SessionTokenError } from "../errors.js"
import { maxSessionToken } from "../limits/of-input.js"
import type { Adapter, AdapterSession, AdapterUser, SessionDetails } from "../model/adapter.js"
import type { AuthContext, Lifetime } from "../model/auth.js"
import type { CallbacksOptions } from "../model/callbacks.js"
import type { Issued, LiveSession, Renewal, RequestedUpdate, SessionStrategy } from "../model/session-strategy.js"
import type { Session } from "../model/session.js"
import { type Awaitable, isPromise } from "../primitives/awaitable.js"
import { authenticationText } from "../model/authentication.js"
import { describe, detailsIn } from "./details.js"
import { handovers } from "./handovers.js"
import {
  type SignInTime,
  absoluteEnd,
  assumedSignInTime,
  authenticationOf,
  encodeAuthentication,
  endedByCutOff,
  isAssumed,
  withSignInTime,
} from "./live-session.js"
import { isStoredForm, storedToken } from "./revocation.js"
import { type Row, belongTogether, storedContent, userIdOf } from "./session-row.js"

export type DatabaseSessionsOptions = Pick<AuthContext, "callbacks" | "lifetime" | "runtime" | "logger" | "site"> & {
  readonly adapter: Required<Pick<Adapter, "createSession" | "getSessionAndUser" | "updateSession" | "deleteSession">> &
    Pick<Adapter, "describeSession">
  readonly generateSessionToken: () => Awaitable<string>
  readonly hashed: boolean
  /** Whether the token was generated for the current cookie name. @default no token can be told from earlier ones */
  readonly isForCurrentName?: ((token: string) => Awaitable<boolean>) | undefined
  /** The time of sign-in is part of the token. */
  readonly keepsAuthTime: boolean
}

/**
 * How long a replaced session stays valid, in milliseconds. A page sends several requests at once, and only one of the
 * responses sets the new cookie.
 */
const handoverMs = 30_000

type SessionParams = Parameters<NonNullable<CallbacksOptions["session"]>>[0]

/** Strategy `"database"`: the cookie contains the token of a stored session. */
export function databaseSessions(environment: DatabaseSessionsOptions): SessionStrategy {
  const { callbacks, lifetime, runtime, adapter, logger, hashed } = environment

  async function find(token: string, formerName?: string): Promise<(Row & { readonly outdated: boolean }) | null> {
    // A stored hash isn't a token, also where tokens aren't hashed anymore.
    if (token.length > maxSessionToken || isStoredForm(token)) return null
    if (formerName !== undefined) return findFormer(token)
    if (!hashed) return withAge(await adapter.getSessionAndUser(token), false)
    const row = await adapter.getSessionAndUser(await storedToken(token))
    return row ? withAge(row, false) : withAge(await adapter.getSessionAndUser(token), true)
  }

  /** A token from before the switch: its row isn't hashed, or it wasn't generated for the current cookie name. */
  async function findFormer(token: string): Promise<(Row & { readonly outdated: boolean }) | null> {
    if ((await environment.isForCurrentName?.(token)) === true) return null
    return withAge(await adapter.getSessionAndUser(token), hashed)
  }

  async function read(token: string, formerName?: string): Promise<LiveSession | null> {
    const found = await find(token, formerName)
    if (found === null || !belongTogether(found)) return null
    const live = toLive(token, found, environment)
    if (!isOver(live, lifetime, runtime.now())) return live
    await adapter.deleteSession(found.session.sessionToken)
    return null
  }

  async function revoke(token: string): Promise<void> {
    if (token.length > maxSessionToken || isStoredForm(token)) return
    await endRow(environment, await inStore(environment, token))
    // The row may be from before tokens were hashed. Deleting it unread could delete one whose key only looks like the token.
    if (hashed && (await adapter.getSessionAndUser(token))) await adapter.deleteSession(token)
  }

  return {
    read,

    // Version 4 stores the same rows, and its cookie contains the same token.
    adopt: read,

    // A session that the database doesn't have has ended.
    whyUnreadable: async () => undefined,

    start({ user, authentication: said }, details, continued) {
      const authentication = said && encodeAuthentication(said)
      const now = { authenticatedAt: runtime.now(), isAssumed: false, authentication }
      return issue(environment, user.id, continued === undefined ? now : signInTimeOf(environment, continued), details)
    },

    async renew(live, _update, readOnly = false) {
      if (readOnly) return { kind: "keep", live }
      try {
        return await (live.outdated ? replace(environment, live) : extend(environment, live))
      } catch (cause) {
        // A session that can't be extended is still valid.
        logger.error(new SessionTokenError("Could not extend the session; it stays as it was", { cause }))
        return { kind: "keep", live }
      }
    },

    present: (live, update) => present(callbacks, live, update),

    async end(live) {
      const { session } = storedContent(live)
      const deleted = await endRow(environment, session.sessionToken)
      return { session: deleted ?? session }
    },

    revoke,

    handleOf: async (token) => token,
    keyOf: (token) => inStore(environment, token),
    endHandle: (token) => revoke(token),
    endRow: async (key) => void (await endRow(environment, key)),

    // Each session has a row.
    endAll: async () => undefined,
  }
}

function present(
  { session: callback }: DatabaseSessionsOptions["callbacks"],
  live: LiveSession,
  update: RequestedUpdate | undefined,
): Awaitable<Session> {
  const { session, user } = storedContent(live)
  if (callback === undefined) return plainSession(user, live.expires)
  const params = { session: withoutToken(session, user), user, newSession: update?.data }
  // The public type has the keys of both strategies; only these exist for this one.
  const made = callback({ ...params, ...(update && { trigger: "update" }) } as unknown as SessionParams)
  return isPromise(made) ? Promise.resolve(made).then(withText) : withText(made)
}

/** A callback that returns the row returns a `Date`; a session has text. */
function withText(session: Session): Session {
  const expires: unknown = session?.expires
  return expires instanceof Date ? { ...session, expires: expires.toISOString() } : session
}

async function inStore({ hashed }: DatabaseSessionsOptions, token: string): Promise<string> {
  return hashed ? storedToken(token) : token
}

async function issue(
  environment: DatabaseSessionsOptions,
  userId: string,
  time: SignInTime,
  details?: SessionDetails,
): Promise<Issued> {
  const { authenticatedAt } = time
  const token = await newToken(environment, time)
  const expires = new Date(endOf(environment, authenticatedAt))
  const sessionToken = await inStore(environment, token)
  await environment.adapter.createSession({ sessionToken, userId, expires })
  await describe(environment, sessionToken, details)
  return { token, expires }
}

async function extend(environment: DatabaseSessionsOptions, live: LiveSession): Promise<Renewal> {
  const { lifetime, runtime, adapter } = environment
  if (live.expires - (lifetime.maxAge - lifetime.updateAge) * 1000 > runtime.now()) return { kind: "keep", live }
  const expires = new Date(endOf(environment, live.authenticatedAt))
  // At the absolute end there is nothing to extend, and every read would write.
  if (expires.getTime() <= live.expires) return { kind: "keep", live }
  const { sessionToken } = storedContent(live).session
  const updated = await adapter.updateSession({ sessionToken, expires })
  // Not every adapter returns the row. If the row is gone, the session ended since it was read.
  if (!updated && !(await adapter.getSessionAndUser(sessionToken))) return { kind: "end" }
  return { kind: "issue", issued: { token: live.token, expires }, live: extended(live, expires) }
}

/** A new token for the same session. Requests that are in flight with the old one still find it, and get the same new one. */
async function replace(environment: DatabaseSessionsOptions, live: LiveSession): Promise<Renewal> {
  const now = environment.runtime.now()
  if (live.expires <= now + handoverMs) return { kind: "keep", live }
  const { successors } = handovers(environment)
  const { sessionToken } = storedContent(live).session
  const known = successors.get(sessionToken, now)
  if (known !== undefined) return known
  const renewal = replaceOnce(environment, live)
  successors.set(sessionToken, renewal, { expires: now + handoverMs, now })
  const forget = () => successors.set(sessionToken, renewal, { expires: now, now })
  renewal.then(({ kind }) => (kind === "issue" ? undefined : forget()), forget)
  return renewal
}

async function replaceOnce(environment: DatabaseSessionsOptions, live: LiveSession): Promise<Renewal> {
  const { runtime, adapter } = environment
  const { session } = storedContent(live)
  const issued = await issue(environment, session.userId, signInTimeOf(environment, live), live.row?.details)
  const stored = await inStore(environment, issued.token)
  if (await handOver(environment, session, { sessionToken: stored, expires: issued.expires })) {
    const now = runtime.now()
    handovers(environment).predecessors.set(stored, session.sessionToken, { expires: now + handoverMs, now })
    return { kind: "issue", issued, live: extended(live, issued.expires) }
  }
  await adapter.deleteSession(stored)
  return { kind: "end" }
}

function signInTimeOf({ runtime }: DatabaseSessionsOptions, { authenticatedAt, token }: LiveSession): SignInTime {
  const authentication = authenticationText(token)
  return authenticatedAt === undefined
    ? { authenticatedAt: assumedSignInTime(runtime.now()), isAssumed: true, authentication }
    : { authenticatedAt, isAssumed: isAssumed(token), authentication }
}

/** Also ends the session that it replaced, and the one that replaced it, which are the same session for the user. */
async function endRow(
  environment: DatabaseSessionsOptions,
  stored: string,
): Promise<AdapterSession | null | undefined> {
  const { adapter, runtime } = environment
  const { successors, predecessors } = handovers(environment)
  const now = runtime.now()
  const predecessor = predecessors.get(stored, now)
  if (predecessor !== undefined) await adapter.deleteSession(predecessor)
  const successor = await successors.get(stored, now)?.catch(() => undefined)
  if (successor?.kind === "issue") await adapter.deleteSession(await inStore(environment, successor.issued.token))
  return (await adapter.deleteSession(stored)) ?? undefined
}

/** `false`: the session ended since it was read, so its replacement must end too. */
async function handOver(
  { logger, runtime, adapter }: DatabaseSessionsOptions,
  { sessionToken }: AdapterSession,
  replacement: Pick<AdapterSession, "sessionToken" | "expires">,
): Promise<boolean> {
  try {
    const updated = await adapter.updateSession({ sessionToken, expires: new Date(runtime.now() + handoverMs) })
    // A replica that lags would still find the session. An adapter that returns the row of the replacement returned none because
    // there is none. Others never return rows.
    if (!updated && (await adapter.updateSession(replacement))) return false
    return Boolean(await adapter.getSessionAndUser(sessionToken))
  } catch (cause) {
    // Some adapters reject the update of a row that's gone.
    if (!(await adapter.getSessionAndUser(sessionToken))) return false
    logger.error(new SessionTokenError("Could not shorten the replaced session; it ends at once", { cause }))
    await adapter.deleteSession(sessionToken)
    return true
  }
}

function withAge(row: Row | null, outdated: boolean): (Row & { readonly outdated: boolean }) | null {
  return row === null || row === undefined ? null : { session: row.session, user: row.user, outdated }
}

async function newToken(
  { generateSessionToken, keepsAuthTime }: DatabaseSessionsOptions,
  time: SignInTime,
): Promise<string> {
  const { authentication } = time
  const token = (await generateSessionToken()) + (authentication === undefined ? "" : `!${authentication}`)
  return keepsAuthTime ? withSignInTime(token, time) : token
}

/** When a session that is used now ends. Milliseconds since 1970. */
function endOf({ lifetime, runtime }: DatabaseSessionsOptions, authenticatedAt: number | undefined): number {
  return Math.min(runtime.now() + lifetime.maxAge * 1000, absoluteEnd(authenticatedAt, lifetime.absoluteMaxAge))
}

function toLive(
  token: string,
  { session: stored, user, outdated }: Row & { outdated: boolean },
  { adapter, keepsAuthTime }: DatabaseSessionsOptions,
): LiveSession {
  const authenticatedAt = keepsAuthTime ? authenticationOf(token) : undefined
  const details = detailsIn(adapter, stored)
  const session = details === undefined ? stored : withoutDetails(stored)
  return {
    token,
    userId: userIdOf({ session, user }),
    // Some drivers return text, and a session must not live forever because its date isn't a Date.
    expires: new Date(session.expires).getTime(),
    authenticatedAt,
    // A token from before the setting has no sign-in time, so it's replaced.
    outdated: outdated || (keepsAuthTime && authenticatedAt === undefined),
    row: { key: session.sessionToken, details },
    content: { kind: "stored", session, user },
  }
}

/** Callbacks often return the whole row to the browser. */
function withoutDetails(row: AdapterSession): AdapterSession {
  const { details: _, ...session } = row
  return session
}

function isOver({ token, expires, authenticatedAt }: LiveSession, lifetime: Lifetime, now: number): boolean {
  if (endedByCutOff(lifetime, { authenticatedAt, isAssumed: isAssumed(token) }, now)) return true
  // Also true when the row's date is invalid.
  return !(Math.min(expires, absoluteEnd(authenticatedAt, lifetime.absoluteMaxAge)) > now)
}

function extended(live: LiveSession, expires: Date): LiveSession {
  const { session, user } = storedContent(live)
  return { ...live, expires: expires.getTime(), content: { kind: "stored", session: { ...session, expires }, user } }
}

/** Callbacks often return the whole row. The token must not reach JavaScript that way, so it isn't enumerable. */
function withoutToken(session: AdapterSession, user: AdapterUser): AdapterSession & { user: AdapterUser } {
  return Object.defineProperty({ ...session, user }, "sessionToken", { value: session.sessionToken, enumerable: false })
}

function plainSession({ name, email, image }: AdapterUser, expires: number): Session {
  return {
    user: { email, ...(name !== undefined && { name }), ...(image !== undefined && { image }) },
    expires: new Date(expires).toISOString(),
  }
}
