import { AuthError, MissingAdapter } from "../errors.js"
import { canonicalEmail, typedEmail } from "../http/email-address.js"
import type { Adapter, AdapterAccount, AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { CredentialKind, Revoked } from "../model/credential-kind.js"
import type { AuthRequest } from "../model/http.js"
import type { Users } from "../module-kit/context.js"
import { eachAtOnce } from "../primitives/awaitable.js"
import { disabledRecord } from "../revoke/disabled.js"
import { liveSession } from "../session/current.js"
import { idText } from "../session/live-session.js"
import { mayNameRecord } from "../session/records.js"
import { hasRows } from "../session/revocation.js"
import { userWithEmail } from "../signin/stored-users.js"
import { endHeld } from "./pending.js"

interface Own {
  /** The ids of the module's providers. */
  readonly providers: readonly string[]
  /** Ends what the other modules issued to a user. */
  revokeOthers(userId: string, reason: string | undefined): Promise<void>
}

/** @param request `undefined`: there is none, so no session is the current one */
export function usersOf(auth: AuthContext, request: AuthRequest | undefined, own: Own): Users {
  return {
    async byId(id) {
      const user = (await adapterOf(auth).getUser?.(id)) ?? null
      // Some databases ignore case.
      return user !== null && idText(user.id) === id ? user : null
    },
    byEmail: (email) => userWithEmail(adapterOf(auth), email),
    typedEmail(typed) {
      try {
        const email = typeof typed === "string" ? typedEmail(typed, auth.rules) : ""
        return email === "" || mayNameRecord(email) ? null : email
      } catch {
        return null
      }
    },
    canonicalEmail,
    async hasSession(id, session) {
      const found = (await adapterOf(auth).getSessionAndUser?.(session)) ?? null
      if (found === null || idText(found.user.id) !== id) return false
      return new Date(found.session.expires).getTime() > auth.runtime.now()
    },
    async endSessions(id, { except, reason } = {}) {
      const kept = except === undefined || request === undefined ? undefined : await currentRow(auth, request)
      await endSessions(auth, id, kept, () => own.revokeOthers(id, reason))
    },
    async endSession(id, session, reason) {
      const found = (await adapterOf(auth).getSessionAndUser?.(session)) ?? null
      if (found === null || idText(found.user.id) !== id) return false
      await auth.https.sessions.endRow(session)
      const ended = auth.strategy === "database" ? { session: found.session } : { token: { sub: id } }
      await auth.events.signOut({ ...ended, reason })
      return true
    },
    async forgetTokens(id, account, { unless }) {
      await (await (await auth.vault?.())?.forget(auth, id, { ...account, unless }))?.()
    },
    async isNameless(id) {
      return (await namelessUser(adapterOf(auth), id)) !== null
    },
    isDisabled: async (id) => (await disabledRecord(auth, id)) !== null,
    canEndSessions: hasRows(auth),
    async hasSessions(id) {
      const adapter = adapterOf(auth)
      if (adapter.listSessions === undefined) throw new AuthError("The adapter lacks listSessions. Use one of Latchkey")
      const rows = await adapter.listSessions(id)
      return rows.some(({ expires }) => expires.getTime() > auth.runtime.now())
    },
    async accounts(id) {
      return (await ownAccounts(auth, own, id)).map(({ providerAccountId }) => providerAccountId)
    },
    async unlink(id, account) {
      const found = (await ownAccounts(auth, own, id)).find(({ providerAccountId }) => providerAccountId === account)
      if (found === undefined) return false
      const { provider, providerAccountId } = found
      await adapterOf(auth).unlinkAccount?.({ provider, providerAccountId })
      return true
    },
    removeNameless: async (id) => removeNameless(auth, id, () => own.revokeOthers(id, "removed")),
  }
}

function adapterOf({ adapter }: AuthContext): Adapter {
  if (adapter === undefined) throw new MissingAdapter("A module looks users up. Set `adapter`")
  return adapter
}

/** @throws AuthError if the adapter can't list them */
async function accountsOf(adapter: Adapter, userId: string): Promise<readonly AdapterAccount[]> {
  if (adapter.listAccounts === undefined) throw new AuthError("The adapter lacks listAccounts. Use one of Latchkey")
  return adapter.listAccounts(userId)
}

async function ownAccounts(auth: AuthContext, { providers }: Own, id: string): Promise<readonly AdapterAccount[]> {
  return (await accountsOf(adapterOf(auth), id)).filter(({ provider }) => providers.includes(provider))
}

async function removeNameless(auth: AuthContext, id: string, revokeOthers: () => Promise<void>): Promise<boolean> {
  const adapter = adapterOf(auth)
  if (adapter.deleteUser === undefined) throw new AuthError("The adapter lacks deleteUser. Use one of Latchkey")
  if ((await namelessUser(adapter, id)) === null) return false
  await endSessions(auth, id, undefined, revokeOthers)
  // They may have added an email or an account until the last session ended.
  const user = await namelessUser(adapter, id)
  if (user === null) return false
  await adapter.deleteUser(id)
  await auth.events.deleteUser({ user })
  return true
}

async function namelessUser(adapter: Adapter, id: string): Promise<AdapterUser | null> {
  const user = (await adapter.getUser?.(id)) ?? null
  if (user === null || user.email || (await accountsOf(adapter, id)).length > 0) return null
  return user
}

const started = new WeakMap<AuthRequest, string>()

/** Keeps the token of the session that a sign-in has just started. */
export function rememberStarted(request: AuthRequest, token: string): void {
  started.set(request, token)
}

/** The `sessionToken` of the row of this request's session. */
async function currentRow(auth: AuthContext, request: AuthRequest): Promise<string | undefined> {
  const token = started.get(request)
  if (token !== undefined) return request.scheme.sessions.keyOf(token)
  return (await liveSession(auth, request))?.row?.key
}

/**
 * What can become a session ends first, then the sessions, and then what a session began.
 *
 * @throws AuthError if something may still work. Everything else has ended
 */
async function endSessions(
  auth: AuthContext,
  userId: string,
  kept: string | undefined,
  revokeOthers: () => Promise<void>,
): Promise<void> {
  const { features, records, https, strategy, security } = auth
  const user = (await adapterOf(auth).getUser?.(userId)) ?? null
  const revoked: Revoked = { userId, user, reason: undefined }
  const end = (kind: CredentialKind<AuthContext>) => () => kind.end(auth, revoked)
  const before = features.credentialKinds.filter(({ startsSessions }) => startsSessions)
  const after = features.credentialKinds.filter(({ startsSessions }) => !startsSessions)
  const isRevocable = strategy === "jwt" && security.revocableSessions
  const steps = [
    () => endHeld({ records }, userId),
    ...before.map(end),
    () => endRows(auth, userId, kept),
    ...(isRevocable ? [() => https.sessions.endAll(userId)] : []),
    ...after.map(end),
    revokeOthers,
  ]
  const failed: unknown[] = []
  for (const step of steps) await step().catch((cause: unknown) => failed.push(cause))
  if (failed.length === 0) return
  throw new AuthError("Not every session and link of the user could be ended", { cause: new AggregateError(failed) })
}

/** Sessions that are only in a cookie stay valid until they expire. */
async function endRows(auth: AuthContext, userId: string, kept: string | undefined): Promise<void> {
  const { https } = auth
  const adapter = adapterOf(auth)
  if (!hasRows(auth)) return
  if (kept === undefined && adapter.deleteSessions !== undefined) return adapter.deleteSessions(userId)
  if (adapter.listSessions === undefined) throw new AuthError("The adapter lacks listSessions. Use one of Latchkey")
  const rows = await adapter.listSessions(userId)
  await eachAtOnce(
    rows.filter(({ sessionToken }) => sessionToken !== kept),
    ({ sessionToken }) => https.sessions.endRow(sessionToken),
  )
}
