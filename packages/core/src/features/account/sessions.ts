import { adapterFor, problemOf } from "../../account/requirements.js"
import type { StoredUser } from "../../account/signed-in.js"
import { sessionHandle } from "../../crypto/session-handle.js"
import { withRequest } from "../../http/auth-request.js"
import { maxListed } from "../../limits/of-growth.js"
import type { SessionSummary } from "../../model/account.js"
import type { AdapterSession } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { SetCookie } from "../../model/cookie.js"
import { eachAtOnce } from "../../primitives/awaitable.js"
import { clearSessionCookies } from "../../session/current.js"
import { forgetSignIn } from "../../session/live-session.js"
import { endLinksTo } from "../../signin/email-links.js"
import { endEmailChange } from "./email-change-link.js"
import { requirements } from "./requirements.js"

interface OwnSession {
  readonly id: string
  readonly row: AdapterSession
  readonly isCurrent: boolean
}

export async function listSessions(stored: StoredUser): Promise<readonly SessionSummary[]> {
  const { lifetime } = stored.auth
  return (await sessionsOf(stored)).map((session) => summaryOf(session, lifetime))
}

function summaryOf({ id, row, isCurrent }: OwnSession, lifetime: AuthContext["lifetime"]): SessionSummary {
  const { browser, system, place, createdAt } = row.details ?? {}
  return {
    id,
    isCurrent,
    browser,
    system,
    place,
    createdAt: createdAt && new Date(createdAt),
    lastUsedAt: lastUse(row, lifetime),
    expires: new Date(row.expires),
  }
}

function lastUse({ details, expires }: AdapterSession, lifetime: AuthContext["lifetime"]): Date | undefined {
  return details?.lastUsedAt === undefined ? lastExtended(new Date(expires), lifetime) : new Date(details.lastUsedAt)
}

/** A use extends a session, unless it has reached its absolute end. */
function lastExtended(expires: Date, { maxAge, absoluteMaxAge }: AuthContext["lifetime"]): Date | undefined {
  return absoluteMaxAge === undefined ? new Date(expires.getTime() - maxAge * 1000) : undefined
}

/** The sessions that a page lists, the latest first, and one more if there are more. */
async function sessionsOf(stored: StoredUser): Promise<readonly OwnSession[]> {
  const { auth } = stored
  const isCurrent = ({ sessionToken }: AdapterSession) => sessionToken === stored.live.row?.key
  const latest = (row: AdapterSession) =>
    isCurrent(row) ? Number.MAX_VALUE : (lastUse(row, auth.lifetime)?.getTime() ?? 0)
  const listed = await rowsOf(stored, maxListed + 1)
  // The others expire later if `maxAge` became shorter.
  const all = listed.some(isCurrent) ? listed : [...currentRow(stored), ...listed]
  const rows = all.toSorted((one, other) => latest(other) - latest(one)).slice(0, maxListed + 1)
  return Promise.all(
    rows.map(async (row) => ({ row, id: await sessionHandle(auth, row.sessionToken), isCurrent: isCurrent(row) })),
  )
}

function currentRow({ user, live: { row, expires, rowExpires = expires } }: StoredUser): readonly AdapterSession[] {
  if (row === undefined) return []
  return [{ sessionToken: row.key, userId: user.id, expires: new Date(rowExpires), details: row.details ?? null }]
}

/** The sessions that haven't ended. */
async function rowsOf({ auth, user }: StoredUser, limit?: number): Promise<readonly AdapterSession[]> {
  const now = auth.runtime.now()
  const rows = await adapterFor(auth, requirements.sessions).listSessions(user.id, limit)
  return rows.filter(({ expires }) => new Date(expires).getTime() > now)
}

type Changed<T> = { readonly value: T; readonly cookies: readonly SetCookie[] }

export async function revokeSession(stored: StoredUser, id: string): Promise<Changed<boolean>> {
  const { auth, request } = stored
  adapterFor(auth, requirements.revokeSession)
  const found = (await sessionsOf(stored)).find((session) => session.id === id)
  if (found === undefined) return { value: false, cookies: [] }
  await endLinks(stored)
  const cookies = found.isCurrent ? await endOwn(stored) : []
  if (!found.isCurrent) await request.scheme.sessions.endRow(found.row.sessionToken)
  await endPending(stored)
  await report(stored, "one", 1)
  return { value: true, cookies }
}

/** Also ends the sessions from before sessions were revocable that haven't been used since. */
export async function revokeOtherSessions(stored: StoredUser): Promise<Changed<number>> {
  const { auth, request, userId, live } = stored
  adapterFor(auth, requirements.revokeSession)
  await endLinks(stored)
  const others = (await rowsOf(stored)).filter(({ sessionToken }) => sessionToken !== live.row?.key)
  await eachAtOnce(others, ({ sessionToken }) => request.scheme.sessions.endRow(sessionToken))
  await request.scheme.sessions.endAll(userId)
  await endPending(stored)
  await report(stored, "others", others.length)
  return { value: others.length, cookies: [] }
}

export async function revokeSessions(stored: StoredUser): Promise<Changed<undefined>> {
  const { auth, request, user, userId } = stored
  const adapter = adapterFor(auth, requirements.revokeSessions)
  await endLinks(stored)
  await adapter.deleteSessions(user.id)
  await request.scheme.sessions.endAll(userId)
  await endPending(stored)
  const cookies = await endOwn(stored, { reason: "all" })
  await report(stored, "all", undefined)
  return { value: undefined, cookies }
}

/** Links to sign in that a thief may have copied. They end before the sessions: one that is opened meanwhile starts another. */
async function endLinks({ adapter, user }: StoredUser): Promise<void> {
  await endLinksTo(adapter, user.email)
}

/** What a session began doesn't go on without it. It ends after the session, which could begin it again. */
async function endPending({ adapter, userId }: StoredUser): Promise<void> {
  await endEmailChange(adapter, userId)
}

/** Whether the other sessions can be ended. */
export function canRevokeOthers(auth: AuthContext): boolean {
  return problemOf(auth, requirements.revokeSession) === undefined
}

/** Ends the session of this request. */
async function endOwn(
  { auth, request, live }: StoredUser,
  why: { readonly reason?: string } = {},
): Promise<readonly SetCookie[]> {
  const message = await request.scheme.sessions.end(live)
  await auth.events.signOut(withRequest({ ...message, ...why }, request))
  return endedCookies({ request })
}

export function endedCookies({ request }: Pick<StoredUser, "request">): readonly SetCookie[] {
  return [...clearSessionCookies(request), ...forgetSignIn(request)]
}

async function report(
  { auth, request, user, userId }: StoredUser,
  scope: "one" | "others" | "all",
  count: number | undefined,
): Promise<void> {
  auth.logger.debug("account.revoke-sessions", () => ({ userId, scope, count }))
  await auth.events.revokeSessions(withRequest({ user, scope, count }, request))
}
