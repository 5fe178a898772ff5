import { SessionTokenError } from "../errors.js"
import type { SessionContext } from "../model/auth.js"
import type { SessionRequest } from "../model/http.js"
import type { LiveSession, SignOutMessage } from "../model/session-strategy.js"
import { readFound } from "./current.js"
import { type FoundToken, tokenOf, version4Token } from "./found-token.js"

/** A session to end, in a form of the page that says that the database failed. The browser has no session cookie anymore. */
const purpose = "signout-retry"

/** Seconds. */
const retryMaxAge = 3600

/** Names the session of this browser for a later try to end it. It can end this session and nothing else. */
export async function pendingEnding(auth: SessionContext, request: SessionRequest): Promise<string | undefined> {
  const found = tokenOf(auth, request)
  if (found === undefined) return undefined
  const { sessions, sealer } = request.scheme
  const handle = await sessions.handleOf(found.token, found.formerName)
  return handle === undefined ? undefined : sealer.seal(purpose, { handle }, retryMaxAge)
}

/**
 * Ends the session that {@link pendingEnding} named. One that was changed or has expired ends nothing.
 *
 * @throws if the session is still valid afterwards
 */
export async function endPending({ scheme }: Pick<SessionRequest, "scheme">, ending: string): Promise<void> {
  let handle: unknown
  try {
    handle = (await scheme.sealer.open(purpose, ending)).payload["handle"]
  } catch {
    return
  }
  if (typeof handle === "string") await scheme.sessions.endHandle(handle)
}

/**
 * Ends the session of this browser in the database, even if it can't be read.
 *
 * @throws if the session is still valid afterwards
 */
export async function endSession(auth: SessionContext, request: SessionRequest): Promise<SignOutMessage | undefined> {
  const found = tokenOf(auth, request)
  if (found === undefined) return undefined
  const { sessions } = request.scheme
  await endVersion4Session(auth, request, found)
  let live: LiveSession | null
  try {
    live = await readFound(auth, request, found)
  } catch (cause) {
    auth.logger.error(new SessionTokenError("Could not read the session; it ends unread", { cause }))
    await sessions.revoke(found.token, found.formerName)
    return undefined
  }
  return live === null ? undefined : sessions.end(live)
}

/** While both versions run, version 4 may have started a session of its own in this browser. */
async function endVersion4Session(auth: SessionContext, request: SessionRequest, found: FoundToken): Promise<void> {
  const token = version4Token(auth, request)
  if (auth.strategy === "database" && token !== undefined && token !== found.token) {
    await request.scheme.sessions.revoke(token)
  }
}
