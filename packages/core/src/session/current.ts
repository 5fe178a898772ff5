import { AdapterError, AuthError, JWTSessionError, SessionTokenError } from "../errors.js"
import { setCookie } from "../http/cookie.js"
import type { SessionContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import { seamLoader } from "../model/symbols.js"
import type { SessionRequest } from "../model/http.js"
import type { Issued, LiveSession, Renewal, RequestedUpdate, UpdateSender } from "../model/session-strategy.js"
import type { Session, SessionUpdate } from "../model/session.js"
import type { Awaitable } from "../model/user.js"
import { keepSecret } from "../observability/in-flight.js"
import { andThen, isPromise } from "../primitives/awaitable.js"
import { recordUse } from "./details.js"
import { UncheckedSession, warnOfFormer } from "./stored-sessions.js"
import { forgetSignIn } from "./live-session.js"
import { reportUnreadable } from "./report-unreadable.js"
import {
  type CookieContext,
  type FoundToken,
  clearSessionCookie,
  omittedCookies,
  tokenOf,
  writeSessionCookie,
} from "./session-cookie.js"
import { fits } from "./session-size.js"

/** The session of a visitor, and the cookies to set because of it. */
export interface SessionView<S = Session> {
  readonly session: S | null
  readonly cookies: readonly SetCookie[]
  /** The adapter or a callback failed, so whether there is a session isn't known. Answer 503 rather than "signed out". */
  readonly error?: AuthError
  /**
   * This server can't check whether the session was revoked, and the last check is too long ago. A server with the adapter can
   * tell, and renews it.
   */
  readonly isStale?: true
}

export interface SessionQuery {
  /** Updates the session. The callbacks get the data, which may depend on the session. */
  readonly update?: {
    readonly sender: UpdateSender
    data(live: LiveSession): SessionUpdate | undefined
  }
  /** For callers that can't set cookies: nothing is extended, and changes of the `jwt` callback wait for a later request. */
  readonly readOnly?: boolean
  /** Writes the session again, with the time at which the database had it. For a server that has no adapter. */
  readonly sealsCheck?: true
}

const read: SessionQuery = {}

/** A new object each time: the application gets it, and may change it. */
const noSession = (): SessionView => ({ session: null, cookies: [] })

/** Reads the session of a visitor and renews it when due. An error is logged and keeps the cookie; the session is `null`. */
export async function currentSession(
  auth: SessionContext,
  request: SessionRequest,
  query: SessionQuery = read,
): Promise<SessionView> {
  const found = tokenOf(auth, request)
  try {
    if (hidesSession(request, found)) return { ...noSession(), error: omittedCookies(auth) }
    const viewed = found === undefined ? undefined : await view(auth, request, found, query)
    if (viewed !== undefined) return viewed
  } catch (cause) {
    return unreadable(auth, cause)
  }
  return auth.modules.length === 0 ? noSession() : identify(auth, request)
}

function unreadable(auth: SessionContext, cause: unknown): SessionView {
  // With 0, no check is recent enough, and the browser would be sent to check the session without end.
  if (cause instanceof UncheckedSession)
    return auth.lifetime.maxStaleness === 0 ? noSession() : { ...noSession(), isStale: true }
  const Kind = auth.strategy === "jwt" ? JWTSessionError : SessionTokenError
  const error =
    cause instanceof Kind
      ? cause
      : new Kind("Could not read the session; the cookie is kept for the next request", { cause })
  auth.logger.error(error)
  return { ...noSession(), error }
}

/** A session under a former name must not replace one that may be in a cookie beyond the limits. */
function hidesSession({ omitsCookies }: SessionRequest, found: FoundToken | undefined): boolean {
  return omitsCookies === true && found?.kind !== "current"
}

/** `undefined`: the cookie isn't a session here, and stays: it's of version 4, for a rollback, or lacks the cookie of a module. */
function view(
  auth: SessionContext,
  request: SessionRequest,
  found: FoundToken,
  query: SessionQuery,
): Awaitable<SessionView | undefined> {
  return andThen(readAccepted(auth, request, found), (live) =>
    live === null
      ? viewNone(auth, request, found)
      : live && viewLive(auth, request, { ...query, live, kind: found.kind }),
  )
}

interface Stored extends SessionQuery {
  readonly live: LiveSession
  readonly kind: FoundToken["kind"]
}

/** Nothing is awaited that is there: that would cost a turn of the event loop on every read. */
async function viewLive(
  auth: SessionContext,
  request: SessionRequest,
  { live: stored, kind, update: asked, readOnly = false, sealsCheck }: Stored,
): Promise<SessionView> {
  const { sessions, cookies } = request.scheme
  const live = sealsCheck === true ? { ...stored, sealsCheck } : stored
  keepSecret(request, live.content)
  const update = requested(asked, live)
  const renewing = sessions.renew(live, update, readOnly)
  const renewal = isPromise(renewing) ? await renewing : renewing
  if (renewal.kind === "end") return { session: null, cookies: clearSessionCookies(request) }
  const presenting = sessions.present(renewal.live, update)
  const presented = isPromise(presenting) ? await presenting : presenting
  const session = auth.modules.length === 0 ? presented : await extend(auth, request, presented)
  const told = tell(auth, request, { session, live: renewal.live, readOnly })
  if (told !== undefined) await told
  const issued = toIssue(renewal, kind !== "current" && !readOnly)
  if (issued === undefined) return { session, cookies: [] }
  const written = writeSessionCookie(cookies.sessionToken, issued, request.cookies, auth.runtime.now())
  return { session, cookies: [...written, ...clearReplaced(request, written)] }
}

interface Read {
  readonly session: Session
  readonly live: LiveSession
  readonly readOnly: boolean
}

/** Records that the session is used, and emits the event. */
function tell(auth: SessionContext, request: SessionRequest, { session, live, readOnly }: Read): Awaitable<void> {
  const { content } = live
  const recorded = readOnly ? undefined : recordUse(auth, request, live)
  const emitted = auth.events.session(content.kind === "sealed" ? { session, token: content.claims } : { session })
  return recorded === undefined ? emitted : recorded.then(() => emitted)
}

async function viewNone(
  auth: SessionContext,
  request: SessionRequest,
  found: FoundToken,
): Promise<SessionView | undefined> {
  if (request.omitsCookies === true) return { ...noSession(), error: omittedCookies(auth) }
  auth.logger.debug("session.refused", () => ({ reason: "unknown, expired or revoked" }))
  await reportUnreadable(auth, request.scheme.sessions, found)
  return found.kind === "version4" ? undefined : { session: null, cookies: clearSessionCookies(request) }
}

function requested(asked: SessionQuery["update"], live: LiveSession): RequestedUpdate | undefined {
  return asked === undefined ? undefined : { data: asked.data(live), sender: asked.sender }
}

/** The cookie of version 4 stays for a rollback, unless the next request would be too long with both. */
function clearReplaced(request: SessionRequest, written: readonly SetCookie[]): readonly SetCookie[] {
  return isTooLong(request, written) ? clearOlderCookies(request) : clearFormerSessionCookies(request)
}

/** Characters. nginx refuses a longer `Cookie` header by default, and Node refuses 16 KB of headers. */
const maxCookieHeader = 8000

function isTooLong({ cookies }: SessionRequest, written: readonly SetCookie[]): boolean {
  const after = new Map([...cookies, ...written.map(({ name, value }) => [name, value] as const)])
  let length = 0
  for (const [name, value] of after) length += name.length + value.length + "=; ".length
  return length > maxCookieHeader
}

function toIssue(renewal: Exclude<Renewal, { kind: "end" }>, isFormer: boolean): Issued | undefined {
  return renewal.kind === "issue" ? renewal.issued : isFormer ? moved(renewal.live) : undefined
}

/** The same session for the current cookie name. An outdated token is about to be replaced, so it isn't written again. */
function moved({ token, expires, outdated, isFixed }: LiveSession): Issued | undefined {
  return outdated || isFixed === true || !fits(token) ? undefined : { token, expires: new Date(expires) }
}

async function extend(auth: SessionContext, { headers }: SessionRequest, session: Session): Promise<Session> {
  let extended = session
  for (const { session: add } of auth.modules)
    if (add !== undefined) extended = await add({ session: extended, headers })
  return extended
}

async function identify(auth: SessionContext, request: SessionRequest): Promise<SessionView> {
  const { headers, origin } = request
  for (const module of auth.modules) {
    try {
      const byParts = await module[seamLoader]?.identify?.(auth, request, module)
      const session = byParts === undefined ? await module.identify?.({ headers, origin }) : byParts
      if (session !== null && session !== undefined) return { session, cookies: [] }
    } catch (cause) {
      const error = new AuthError(`The module ${module.id} could not identify the visitor. Check its \`identify\``, {
        cause,
      })
      auth.logger.error(error)
      return { ...noSession(), error }
    }
  }
  return noSession()
}

/** `undefined`: a module wants a cookie beside the session, which the request doesn't have. */
export function readAccepted(
  auth: SessionContext,
  request: SessionRequest,
  found: FoundToken,
): Awaitable<LiveSession | null | undefined> {
  const reading = readFound(auth, request, found)
  if (!auth.modules.some(({ needsCookie }) => needsCookie)) return reading
  return andThen(reading, async (live) => {
    for (const { id, needsCookie } of auth.modules)
      if (live && needsCookie && !(await needsCookie.accepts(auth, request, live, id))) return undefined
    return live
  })
}

/** Also one that a module wants a cookie beside. */
export async function foundSession(auth: SessionContext, request: SessionRequest): Promise<LiveSession | null> {
  const found = tokenOf(auth, request)
  return found === undefined ? null : readFound(auth, request, found)
}

export function readFound(
  auth: SessionContext,
  request: SessionRequest,
  { token, kind, formerName }: FoundToken,
): Awaitable<LiveSession | null> {
  const { sessions } = request.scheme
  const reading = kind === "version4" ? sessions.adopt(token, formerName) : sessions.read(token, formerName)
  return andThen(reading, (live) => {
    if (live !== null && kind === "former" && formerName !== undefined) warnOfFormer(auth)
    if (live !== null) auth.audit?.sees({ session: { userId: live.userId, key: live.row?.key ?? live.token } })
    return live
  })
}

/** Removes the session from a browser that signs out. From then on, it needs a session under the current name. */
export function signOutCookies(
  { runtime, formerSessionsUntil }: SessionContext,
  request: CookieContext,
): readonly SetCookie[] {
  const { endedCookie, version4 } = request.scheme
  const isAnyOtherAccepted = runtime.now() < Math.max(formerSessionsUntil, version4?.until ?? 0)
  const ended = endedCookie === undefined || !isAnyOtherAccepted ? [] : [setCookie(endedCookie, "1")]
  return [...clearSessionCookies(request), ...forgetSignIn(request), ...ended]
}

/** Removes the session cookie under every name it may have. */
export function clearSessionCookies(request: CookieContext): readonly SetCookie[] {
  return [...clearSessionCookie(request.scheme.cookies.sessionToken, request.cookies), ...clearOlderCookies(request)]
}

/** Removes the cookies of earlier sessions when another one starts. */
export function clearOlderCookies(request: CookieContext): readonly SetCookie[] {
  return [...clearFormerSessionCookies(request), ...clearVersion4Cookie(request)]
}

/** Removes cookies with former names, once the session is written under the current one. */
function clearFormerSessionCookies({ scheme, cookies }: CookieContext): readonly SetCookie[] {
  return scheme.formerSessionCookies.flatMap((cookie) => clearSessionCookie(cookie, cookies))
}

function clearVersion4Cookie({ scheme, cookies }: CookieContext): readonly SetCookie[] {
  const { version4 } = scheme
  if (version4 === undefined || version4.isShared) return []
  return version4.toClear.flatMap((cookie) => clearSessionCookie(cookie, cookies))
}

/**
 * The live session of this browser. `null`: there is none, or it can't be read.
 *
 * @throws AdapterError, since callers would otherwise continue as if no user were signed in
 */
export async function liveSession(auth: SessionContext, request: SessionRequest): Promise<LiveSession | null> {
  const found = tokenOf(auth, request)
  if (found === undefined) return null
  try {
    return (await readAccepted(auth, request, found)) ?? null
  } catch (cause) {
    if (cause instanceof AdapterError) throw cause
    if (cause instanceof UncheckedSession) return null
    auth.logger.error(new SessionTokenError("Could not read the session", { cause }))
    return null
  }
}

export async function signedInUserId(auth: SessionContext, request: SessionRequest): Promise<string | undefined> {
  return (await liveSession(auth, request))?.userId
}
