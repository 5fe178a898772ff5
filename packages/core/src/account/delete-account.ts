import { AuthError } from "../errors.js"
import { withRequest } from "../http/auth-request.js"
import type { Adapter, AdapterAccount, AdapterAuthenticator, AdapterUser } from "../model/adapter.js"
import type { SetCookie } from "../model/cookie.js"
import { mutexOf } from "../primitives/keyed-mutex.js"
import { adapterFor } from "./requirements.js"
import { endedCookies } from "./sessions.js"
import { assertRecent, type StoredUser } from "./signed-in.js"

/** Deletes the user with everything that belongs to them. */
export async function deleteAccount(stored: StoredUser): Promise<readonly SetCookie[]> {
  const { auth, request, user, userId, live } = stored
  const adapter = adapterFor(auth, "deleteAccount")
  await assertRecent(stored)
  await mutexOf(auth).runExclusive(`account ${userId}`, async () => {
    if (adapter.transaction === undefined) return deleteFirst(stored, adapter)
    await adapter.transaction(async (inside) => {
      for (const step of await stepsFor(inside, user)) await step()
      await inside.deleteUser?.(user.id)
    })
  })
  await attempt(stored, () => request.scheme.sessions.endAll(userId))
  await attempt(stored, async () => adapter.deleteVerificationTokens?.(user.email))
  auth.logger.debug("account.delete", () => ({ userId }))
  const { content } = live
  const ended = content.kind === "sealed" ? { token: content.claims } : { session: content.session }
  await auth.events.signOut(withRequest(ended, request))
  await auth.events.deleteUser(withRequest({ user }, request))
  return endedCookies(stored)
}

/**
 * Without transactions, the user goes first: if that fails, nothing has changed. By contract their accounts and sessions go with
 * them. What an adapter leaves can't be used to sign in, so a failure to delete it is only logged.
 */
async function deleteFirst(stored: StoredUser, adapter: Adapter): Promise<void> {
  const { user, live } = stored
  const steps = await stepsFor(adapter, user)
  await adapter.deleteUser?.(user.id)
  for (const step of steps) await attempt(stored, step)
  const { row } = live
  const isLeft = row !== undefined && (await adapter.getSessionAndUser?.(row.key))
  if (isLeft) await attempt(stored, async () => adapter.deleteSession?.(row.key))
}

type Step = () => Promise<unknown>

/** Deletes what belongs to a user, as far as the adapter lists it, and skips what's gone. */
async function stepsFor(adapter: Adapter, { id }: AdapterUser): Promise<readonly Step[]> {
  const passkeys: readonly AdapterAuthenticator[] | null | undefined = await adapter.listAuthenticatorsByUserId?.(id)
  const accounts: readonly AdapterAccount[] | null | undefined = await adapter.listAccounts?.(id)
  return [
    ...(passkeys ?? []).map(
      ({ credentialID }) =>
        () =>
          deletePasskey(adapter, credentialID),
    ),
    ...(accounts ?? []).map((account) => () => unlink(adapter, account)),
    async () => adapter.deleteSessions?.(id),
  ]
}

async function deletePasskey(adapter: Adapter, credentialID: string): Promise<void> {
  if (await adapter.getAuthenticator?.(credentialID)) await adapter.deleteAuthenticator?.(credentialID)
}

async function unlink(adapter: Adapter, { provider, providerAccountId }: AdapterAccount): Promise<void> {
  const isKnown = adapter.getAccount === undefined || (await adapter.getAccount(providerAccountId, provider))
  if (isKnown) await adapter.unlinkAccount?.({ provider, providerAccountId })
}

async function attempt({ auth }: StoredUser, step: Step): Promise<void> {
  try {
    await step()
  } catch (cause) {
    const text = "Could not delete everything of a user who was deleted. See the cause, and delete the rest yourself"
    auth.logger.error(new AuthError(text, { cause }))
  }
}
