import { AdapterError, AuthError, JWTSessionError, SessionTokenError } from "../errors.js"
import type { Issued, LiveSession, Renewal, SessionAuth, SignOutMessage } from "../model/auth.js"
import type { Cookie, SetCookie } from "../model/cookie.js"
import type { Incoming } from "../model/http.js"
import type { Session, SessionUpdate } from "../model/session.js"
import { carry, drop, readToken } from "./carrier.js"

/** Who is this, and what the browser must be told about it. */
export interface SessionView {
  readonly session: Session | null
  readonly cookies: readonly SetCookie[]
  /** Why there is no answer although there may be a session: the store or a callback failed. */
  readonly error?: AuthError
}

/** The part of a request that a session is read from. */
export type Visit = Pick<Incoming, "realm" | "cookies" | "headers" | "origin">

export interface SessionQuery {
  /** Data for the callbacks: the session is updated, not only read. */
  readonly update?: { readonly data: SessionUpdate | undefined }
  /** The caller cannot set cookies: nothing is extended, and what the `jwt` callback changes waits for one that can. */
  readonly readOnly?: boolean
}

const read: SessionQuery = {}
const none: readonly SetCookie[] = []
const nobody: SessionView = { session: null, cookies: none }

/** Reads, and renews when due, the session of a visitor. Faults are logged, keep the cookie, and mean `null`. */
export async function currentSession(
  auth: SessionAuth,
  visit: Visit,
  query: SessionQuery = read,
): Promise<SessionView> {
  const found = tokenOf(visit)
  if (found === undefined) return auth.modules.length === 0 ? nobody : identify(auth, visit)
  try {
    return await view(auth, visit, found, query)
  } catch (cause) {
    const Kind = auth.strategy === "jwt" ? JWTSessionError : SessionTokenError
    const error =
      cause instanceof Kind
        ? cause
        : new Kind("The session could not be read: it is kept for the next request", { cause })
    auth.logger.error(error)
    return { ...nobody, error }
  }
}

async function view(
  auth: SessionAuth,
  visit: Visit,
  { token, isFormer }: FoundToken,
  { update, readOnly = false }: SessionQuery,
): Promise<SessionView> {
  const { sessions, cookies } = visit.realm
  const live = await sessions.read(token)
  if (live === null) {
    auth.logger.debug("session.refused", () => ({ reason: "unknown, expired or revoked" }))
    return { session: null, cookies: dropAll(visit) }
  }
  const renewal = await sessions.renew(live, update, readOnly)
  if (renewal.kind === "end") return { session: null, cookies: dropAll(visit) }
  const presented = await sessions.present(renewal.live, update)
  const session = auth.modules.length === 0 ? presented : await extend(auth, visit, presented)
  const { content } = renewal.live
  const told = auth.events.session(content.kind === "sealed" ? { session, token: content.claims } : { session })
  // Waiting for nothing costs as much as waiting.
  if (told !== undefined) await told
  const issued = toIssue(renewal, isFormer && !readOnly)
  if (issued === undefined) return { session, cookies: none }
  return { session, cookies: [...carry(cookies.sessionToken, issued, visit.cookies), ...formerCookies(visit)] }
}

function toIssue(renewal: Exclude<Renewal, { kind: "end" }>, isFormer: boolean): Issued | undefined {
  return renewal.kind === "issue" ? renewal.issued : isFormer ? moved(renewal.live) : undefined
}

/** The same session, for a cookie of another name; one that is being replaced must not overwrite what replaces it. */
function moved({ token, expires, outdated }: LiveSession): Issued | undefined {
  return outdated ? undefined : { token, expires: new Date(expires) }
}

async function extend(auth: SessionAuth, { headers }: Visit, session: Session): Promise<Session> {
  let extended = session
  for (const { session: add } of auth.modules)
    if (add !== undefined) extended = await add({ session: extended, headers })
  return extended
}

async function identify(auth: SessionAuth, { headers, origin }: Visit): Promise<SessionView> {
  for (const module of auth.modules) {
    try {
      const session = await module.identify?.({ headers, origin })
      if (session !== null && session !== undefined) return { session, cookies: [] }
    } catch (cause) {
      const error = new AuthError(`The module ${module.id} could not identify the visitor: correct its \`identify\``, {
        cause,
      })
      auth.logger.error(error)
      return { ...nobody, error }
    }
  }
  return nobody
}

interface FoundToken {
  readonly token: string
  /** It came under a name that is no longer in use. */
  readonly isFormer: boolean
}

/** The session token under its present name, or under the name it had before the configuration was hardened. */
function tokenOf({ realm, cookies }: Visit): FoundToken | undefined {
  const token = readToken(cookies, realm.cookies.sessionToken.name)
  if (token !== undefined) return { token, isFormer: false }
  for (const former of realm.formerSessionCookies) {
    const found = readToken(cookies, former.name)
    if (found !== undefined) return { token: found, isFormer: true }
  }
  return undefined
}

/** Takes the session away under every name it may have. */
export function dropAll({ realm, cookies }: Pick<Visit, "realm" | "cookies">): readonly SetCookie[] {
  return [realm.cookies.sessionToken, ...realm.formerSessionCookies].flatMap((cookie: Cookie) => drop(cookie, cookies))
}

/** Former names go when the session has been written under the present one. */
export function formerCookies({ realm, cookies }: Pick<Visit, "realm" | "cookies">): readonly SetCookie[] {
  return realm.formerSessionCookies.flatMap((cookie) => drop(cookie, cookies))
}

/**
 * The live session of this browser, whatever the strategy; `null` when there is none or it makes no sense.
 *
 * @throws AdapterError: who asks would go on as if nobody were signed in
 */
export async function liveSession(auth: SessionAuth, visit: Visit): Promise<LiveSession | null> {
  const found = tokenOf(visit)
  if (found === undefined) return null
  try {
    return await visit.realm.sessions.read(found.token)
  } catch (cause) {
    if (cause instanceof AdapterError) throw cause
    auth.logger.error(new SessionTokenError("The session could not be read", { cause }))
    return null
  }
}

/**
 * Ends the session of this browser in the store, also one that cannot be read.
 *
 * @throws when it lives on there
 */
export async function endSession(auth: SessionAuth, visit: Visit): Promise<SignOutMessage | undefined> {
  const found = tokenOf(visit)
  if (found === undefined) return undefined
  const { sessions } = visit.realm
  let live: LiveSession | null
  try {
    live = await sessions.read(found.token)
  } catch (cause) {
    auth.logger.error(new SessionTokenError("The session could not be read: it is ended unread", { cause }))
    await sessions.revoke(found.token)
    return undefined
  }
  return live === null ? undefined : sessions.end(live)
}

export async function signedInUserId(auth: SessionAuth, visit: Visit): Promise<string | undefined> {
  return (await liveSession(auth, visit))?.userId
}
