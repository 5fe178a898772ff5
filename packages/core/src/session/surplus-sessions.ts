import { SessionTokenError } from "../errors.js"
import { maxSessions } from "../limits/of-growth.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import { createBoundedMap } from "../primitives/bounded-map.js"
import { eachAtOnce } from "../primitives/each-at-once.js"
import { scopedToSite } from "../primitives/state.js"

/** Sign-ins of a user in this process after which their sessions are counted. The others cost no query. */
const every = 20

const signIns = scopedToSite("sign-ins", () => createBoundedMap<string, number>(10_000))

/** How many end at once. A user with more from before has less after each time. */
const maxEnded = 100

/**
 * Ends the oldest sessions of a user who has too many, as far as the adapter can list them. A program that signs in for each of its
 * requests would otherwise fill the database, and the account page of the user. Runs before the next session starts, because that
 * one may expire before the others.
 */
export async function endSurplusSessions(auth: AuthContext, request: AuthRequest, userId: string): Promise<void> {
  const { adapter, strategy, security, logger } = auth
  const hasRows = strategy === "database" || security.revocableSessions
  if (!hasRows || adapter?.listSessions === undefined || !isDue(auth, userId)) return
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
