import { AdapterError, AuthError, JWTSessionError, SessionTokenError } from "../errors.js"
import type { Issued, LiveSession, Renewal, SignOutMessage } from "../model/session-strategy.js"
import type { SessionContext } from "../model/auth.js"
import type { Cookie, SetCookie } from "../model/cookie.js"
import type { SessionRequest } from "../model/http.js"
import type { Session, SessionUpdate } from "../model/session.js"
import { writeSessionCookie, clearSessionCookie, readSessionCookie } from "./session-cookie.js"

/** The session of a visitor, and the cookies to set because of it. */
export interface SessionView<S = Session> {
  readonly session: S | null
  readonly cookies: readonly SetCookie[]
  /** The adapter or a callback failed, so whether there is a session isn't known. Answer 503 rather than "signed out". */
  readonly error?: AuthError
}

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
  auth: SessionContext,
  request: SessionRequest,
  query: SessionQuery = read,
): Promise<SessionView> {
  const found = tokenOf(request)
  if (found === undefined) return auth.modules.length === 0 ? nobody : identify(auth, request)
  try {
    return await view(auth, request, found, query)
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
  const told = auth.events.session(content.kind === "sealed" ? { session, token: content.claims } : { session })
  // Waiting for nothing costs as much as waiting.
  if (told !== undefined) await told
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

/** The same session, for a cookie of another name; one that is being replaced must not overwrite what replaces it. */
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
function tokenOf({ scheme, cookies }: SessionRequest): FoundToken | undefined {
  const token = readSessionCookie(cookies, scheme.cookies.sessionToken.name)
  if (token !== undefined) return { token, isFormer: false }
  for (const former of scheme.formerSessionCookies) {
    const found = readSessionCookie(cookies, former.name)
    if (found !== undefined) return { token: found, isFormer: true }
  }
  return undefined
}

/** Takes the session away under every name it may have. */
export function clearSessionCookies({
  scheme,
  cookies,
}: Pick<SessionRequest, "scheme" | "cookies">): readonly SetCookie[] {
  return [scheme.cookies.sessionToken, ...scheme.formerSessionCookies].flatMap((cookie: Cookie) =>
    clearSessionCookie(cookie, cookies),
  )
}

/** Former names go when the session has been written under the present one. */
export function clearFormerSessionCookies({
  scheme,
  cookies,
}: Pick<SessionRequest, "scheme" | "cookies">): readonly SetCookie[] {
  return scheme.formerSessionCookies.flatMap((cookie) => clearSessionCookie(cookie, cookies))
}

/**
 * The live session of this browser, whatever the strategy; `null` when there is none or it makes no sense.
 *
 * @throws AdapterError: who asks would go on as if nobody were signed in
 */
export async function liveSession(auth: SessionContext, request: SessionRequest): Promise<LiveSession | null> {
  const found = tokenOf(request)
  if (found === undefined) return null
  try {
    return await request.scheme.sessions.read(found.token)
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
export async function endSession(auth: SessionContext, request: SessionRequest): Promise<SignOutMessage | undefined> {
  const found = tokenOf(request)
  if (found === undefined) return undefined
  const { sessions } = request.scheme
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

export async function signedInUserId(auth: SessionContext, request: SessionRequest): Promise<string | undefined> {
  return (await liveSession(auth, request))?.userId
}
