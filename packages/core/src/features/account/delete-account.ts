import { accountParts } from "../../account/functions.js"
import { adapterFor } from "../../account/requirements.js"
import { type StoredUser, assertRecent, isOf } from "../../account/signed-in.js"
import { AdapterError, AuthError } from "../../errors.js"
import { withRequest } from "../../http/auth-request.js"
import type { Adapter, AdapterAccount, AdapterUser } from "../../model/adapter.js"
import type { SetCookie } from "../../model/cookie.js"
import { mutexOf } from "../../primitives/state.js"
import { endLinksTo } from "../../signin/email-links.js"
import { endEmailChange } from "./email-change-link.js"
import { hasRows } from "../../session/revocation.js"
import { requirements } from "./requirements.js"
import { endedCookies } from "./sessions.js"

/** Deletes the user with everything that belongs to them. */
export async function deleteAccount(stored: StoredUser): Promise<readonly SetCookie[]> {
  const { auth, request, user, userId, live } = stored
  const adapter = adapterFor(auth, requirements.deleteAccount)
  await assertRecent(stored)
  const forgetTokens = await (await auth.vault?.())?.forget(auth, userId)
  await mutexOf(auth).runExclusive(`account ${userId}`, async () => {
    if (adapter.transaction === undefined) return deleteFirst(stored, adapter)
    await adapter.transaction(async (inside) => {
      for (const step of await stepsFor(stored, inside)) await step()
      await inside.deleteUser?.(user.id)
    })
  })
  await attempt(stored, () => request.scheme.sessions.endAll(userId))
  await attempt(stored, () => endEmailChange(adapter, userId))
  if (forgetTokens !== undefined) await attempt(stored, forgetTokens)
  await attempt(stored, () => endLinksTo(adapter, user.email))
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
  const steps = await stepsFor(stored, adapter)
  await adapter.deleteUser?.(user.id)
  await assertDeleted(adapter, user)
  for (const step of steps) await attempt(stored, step)
  const { row } = live
  const isLeft = row !== undefined && (await adapter.getSessionAndUser?.(row.key))
  if (isLeft) await attempt(stored, async () => adapter.deleteSession?.(row.key))
}

/** `@auth/pouchdb-adapter` has a `deleteUser` that does nothing, and the user must not read that the account is deleted. */
async function assertDeleted(adapter: Adapter, { id }: AdapterUser): Promise<void> {
  // A database that fails now has deleted the user.
  const left = await Promise.resolve(adapter.getUser?.(id)).catch(() => null)
  if (left) throw new AdapterError("The adapter's deleteUser left the user. Use an adapter that deletes users")
}

type Step = () => Promise<unknown>

/**
 * Deletes what belongs to a user, as far as the adapter lists it, and skips what's gone. An application that doesn't use sessions in
 * the database may have no table for them.
 */
async function stepsFor({ auth, user }: StoredUser, adapter: Adapter): Promise<readonly Step[]> {
  const { id } = user
  const parts = await accountParts(auth)
  const steps = await Promise.all(parts.map(async (part) => part.deletion?.({ auth, adapter, user }) ?? []))
  const accounts: readonly AdapterAccount[] | null | undefined = await adapter.listAccounts?.(id)
  return [
    ...steps.flat(),
    ...(accounts ?? []).map((account) => () => unlink(adapter, id, account)),
    ...(hasRows(auth) ? [async () => adapter.deleteSessions?.(id)] : []),
  ]
}

async function unlink(
  adapter: Adapter,
  userId: string,
  { provider, providerAccountId }: AdapterAccount,
): Promise<void> {
  const isOwn = adapter.getAccount === undefined || isOf(userId, await adapter.getAccount(providerAccountId, provider))
  if (isOwn) await adapter.unlinkAccount?.({ provider, providerAccountId })
}

async function attempt({ auth }: StoredUser, step: Step): Promise<void> {
  try {
    await step()
  } catch (cause) {
    const text = "Could not delete everything of a user who was deleted. See the cause, and delete the rest yourself"
    auth.logger.error(new AuthError(text, { cause }))
  }
}
