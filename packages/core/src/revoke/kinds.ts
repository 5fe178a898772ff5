import { MissingAdapter, UnsupportedByAdapter } from "../errors.js"
import type { Adapter } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { CredentialKind, Revoked } from "../model/credential-kind.js"
import { hasSeam, seamOf } from "../module/seam-of.js"
import { createThrottle } from "../observability/throttle.js"
import { eachAtOnce } from "../primitives/awaitable.js"
import { stateOf } from "../primitives/state.js"
import { hasRows, hasSessions } from "../session/revocation.js"

/**
 * Every kind of credential that core and features issue, in the order in which they end: a sign-in that is held or a link would
 * become a session, and without a session, no change of the email can begin anymore. What a user signs in with (accounts at providers,
 * passkeys, the mailbox) isn't issued here, so it stays. The cookie of a known device stays too: it only has a rate limit of its own.
 */
export function credentialKindsOf({
  features: { credentialKinds },
}: Pick<AuthContext, "features">): readonly CredentialKind<AuthContext>[] {
  return [
    { name: "pending-sign-ins", end: endHeldSignIns },
    ...credentialKinds.filter(({ startsSessions }) => startsSessions),
    { name: "stored-sessions", end: endStoredSessions },
    { name: "sealed-sessions", end: endSealedSessions },
    ...credentialKinds.filter(({ startsSessions }) => !startsSessions),
    // The cookie of this kind counts only beside a session of its user.
    { name: "recent-sign-in", end: async () => {} },
  ]
}

/** Sessions in the database, and the rows that decide about revocable sessions in cookies. */
async function endStoredSessions(auth: AuthContext, { userId, user }: Revoked): Promise<void> {
  const { adapter } = auth
  if (!hasRows(auth)) return
  if (!hasSessions(adapter)) throw new MissingAdapter("Sessions end in the database. Set `adapter`")
  const id = user?.id ?? userId
  if (adapter.deleteSessions !== undefined) await adapter.deleteSessions(id)
  else await endListed(auth, adapter, id)
}

async function endListed({ https }: AuthContext, adapter: Adapter, userId: string): Promise<void> {
  if (adapter.listSessions === undefined) throw missing("deleteSessions")
  const rows = await adapter.listSessions(userId)
  await eachAtOnce(rows, ({ sessionToken }) => https.sessions.endRow(sessionToken))
}

/** Sessions in cookies from before they were revocable. Those of a site where they aren't can't be ended. */
async function endSealedSessions(auth: AuthContext, { userId }: Revoked): Promise<void> {
  if (auth.strategy === "database") return
  if (auth.security.revocableSessions) await auth.https.sessions.endAll(userId)
  else warnOfSealed(auth)
}

const throttleOf = stateOf("unrevoked-sessions", () => createThrottle({ maxListeners: 10 }))

function warnOfSealed(auth: AuthContext): void {
  if (!throttleOf(auth).allows("", auth.logSink, 0)) return
  auth.logger.warn(
    "sessions-not-revocable",
    "`revoke` can't end sessions in cookies: they stay valid until they expire. Set `security.revocableSessions` with an adapter",
  )
}

/** Only modules hold sign-ins. */
async function endHeldSignIns(auth: AuthContext, { userId }: Revoked): Promise<void> {
  if (hasSeam(auth)) await (await seamOf(auth)).endHeld(auth, userId)
}

export function missing(method: string): UnsupportedByAdapter {
  return new UnsupportedByAdapter(`The adapter lacks ${method}. Add it, or use an adapter of Latchkey`, {
    methods: [method],
  })
}
