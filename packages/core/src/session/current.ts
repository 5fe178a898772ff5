import { AdapterError, AuthError, JWTSessionError, SessionTokenError } from "../errors.js"
import type { SessionContext } from "../model/auth.js"
import type { Cookie, SetCookie } from "../model/cookie.js"
import type { SessionRequest } from "../model/http.js"
import type { Issued, LiveSession, Renewal, SignOutMessage } from "../model/session-strategy.js"
import type { Session, SessionUpdate } from "../model/session.js"
import { clearSessionCookie, readSessionCookie, writeSessionCookie } from "./session-cookie.js"

/** The session of a visitor, and the cookies to set because of it. */
export interface SessionView<S = Session> {
  readonly session: S | null
  readonly cookies: readonly SetCookie[]
  /** The adapter or a callback failed, so whether there is a session isn't known. Answer 503 rather than "signed out". */
  readonly error?: AuthError
}

export interface SessionQuery {
  /** Updates the session with this data, which goes to the callbacks. */
  readonly update?: { readonly data: SessionUpdate | undefined }
  /** For callers that can't set cookies: nothing is extended, and changes of the `jwt` callback wait for a later request. */
  readonly readOnly?: boolean
}

const read: SessionQuery = {}
const none: readonly SetCookie[] = []
const noSession: SessionView = { session: null, cookies: none }

/** Reads the session of a visitor and renews it when due. An error is logged and keeps the cookie; the session is `null`. */
export async function currentSession(
  auth: SessionContext,
  request: SessionRequest,
  query: SessionQuery = read,
): Promise<SessionView> {
  const found = tokenOf(request)
  if (found === undefined) return auth.modules.length === 0 ? noSession : identify(auth, request)
  try {
    return await view(auth, request, found, query)
  } catch (cause) {
    const Kind = auth.strategy === "jwt" ? JWTSessionError : SessionTokenError
    const error =
      cause instanceof Kind
        ? cause
        : new Kind("Could not read the session; the cookie is kept for the next request", { cause })
    auth.logger.error(error)
    return { ...noSession, error }
  }
}

async function view(
  auth: SessionContext,
  request: SessionRequest,
  { token, isFormer }: FoundToken,
  { update, readOnly = false }: SessionQuery,
): Promise<SessionView> {
  const { sessions, cookies } = request.scheme
  const live = await sessions.read(token)
  if (live === null) {
    auth.logger.debug("session.refused", () => ({ reason: "unknown, expired or revoked" }))
    return { session: null, cookies: clearSessionCookies(request) }
  }
  const renewal = await sessions.renew(live, update, readOnly)
  if (renewal.kind === "end") return { session: null, cookies: clearSessionCookies(request) }
  const presented = await sessions.present(renewal.live, update)
  const session = auth.modules.length === 0 ? presented : await extend(auth, request, presented)
  const { content } = renewal.live
  const emitted = auth.events.session(content.kind === "sealed" ? { session, token: content.claims } : { session })
  // Awaiting `undefined` costs a turn of the event loop on every read.
  if (emitted !== undefined) await emitted
  const issued = toIssue(renewal, isFormer && !readOnly)
  if (issued === undefined) return { session, cookies: none }
  return {
    session,
    cookies: [
      ...writeSessionCookie(cookies.sessionToken, issued, request.cookies),
      ...clearFormerSessionCookies(request),
    ],
  }
}

function toIssue(renewal: Exclude<Renewal, { kind: "end" }>, isFormer: boolean): Issued | undefined {
  return renewal.kind === "issue" ? renewal.issued : isFormer ? moved(renewal.live) : undefined
}

/** The same session for the current cookie name. An outdated token is about to be replaced, so it isn't written again. */
function moved({ token, expires, outdated }: LiveSession): Issued | undefined {
  return outdated ? undefined : { token, expires: new Date(expires) }
}

async function extend(auth: SessionContext, { headers }: SessionRequest, session: Session): Promise<Session> {
  let extended = session
  for (const { session: add } of auth.modules)
    if (add !== undefined) extended = await add({ session: extended, headers })
  return extended
}

async function identify(auth: SessionContext, { headers, origin }: SessionRequest): Promise<SessionView> {
  for (const module of auth.modules) {
    try {
      const session = await module.identify?.({ headers, origin })
      if (session !== null && session !== undefined) return { session, cookies: [] }
    } catch (cause) {
      const error = new AuthError(`The module ${module.id} could not identify the visitor. Check its \`identify\``, {
        cause,
      })
      auth.logger.error(error)
      return { ...noSession, error }
    }
  }
  return noSession
}

interface FoundToken {
  readonly token: string
  /** The cookie has a name that is no longer written. */
  readonly isFormer: boolean
}

/** The session token under the current cookie name, or under a name from before `security: "strict"`. */
function tokenOf({ scheme, cookies }: SessionRequest): FoundToken | undefined {
  const token = readSessionCookie(cookies, scheme.cookies.sessionToken.name)
  if (token !== undefined) return { token, isFormer: false }
  for (const former of scheme.formerSessionCookies) {
    const found = readSessionCookie(cookies, former.name)
    if (found !== undefined) return { token: found, isFormer: true }
  }
  return undefined
}

/** Removes the session cookie under every name it may have. */
export function clearSessionCookies({
  scheme,
  cookies,
}: Pick<SessionRequest, "scheme" | "cookies">): readonly SetCookie[] {
  return [scheme.cookies.sessionToken, ...scheme.formerSessionCookies].flatMap((cookie: Cookie) =>
    clearSessionCookie(cookie, cookies),
  )
}

/** Removes cookies with former names, once the session is written under the current one. */
export function clearFormerSessionCookies({
  scheme,
  cookies,
}: Pick<SessionRequest, "scheme" | "cookies">): readonly SetCookie[] {
  return scheme.formerSessionCookies.flatMap((cookie) => clearSessionCookie(cookie, cookies))
}

/**
 * The live session of this browser. `null`: there is none, or it can't be read.
 *
 * @throws AdapterError, since callers would otherwise continue as if no user were signed in
 */
export async function liveSession(auth: SessionContext, request: SessionRequest): Promise<LiveSession | null> {
  const found = tokenOf(request)
  if (found === undefined) return null
  try {
    return await request.scheme.sessions.read(found.token)
  } catch (cause) {
    if (cause instanceof AdapterError) throw cause
    auth.logger.error(new SessionTokenError("Could not read the session", { cause }))
    return null
  }
}

/**
 * Ends the session of this browser in the database, even if it can't be read.
 *
 * @throws if the session is still valid afterwards
 */
export async function endSession(auth: SessionContext, request: SessionRequest): Promise<SignOutMessage | undefined> {
  const found = tokenOf(request)
  if (found === undefined) return undefined
  const { sessions } = request.scheme
  let live: LiveSession | null
  try {
    live = await sessions.read(found.token)
  } catch (cause) {
    auth.logger.error(new SessionTokenError("Could not read the session; it ends unread", { cause }))
    await sessions.revoke(found.token)
    return undefined
  }
  return live === null ? undefined : sessions.end(live)
}

export async function signedInUserId(auth: SessionContext, request: SessionRequest): Promise<string | undefined> {
  return (await liveSession(auth, request))?.userId
}
