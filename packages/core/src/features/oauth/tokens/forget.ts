import { AuthError } from "../../../errors.js"
import type { AuthContext } from "../../../model/auth.js"
import type { KeptAccount } from "../../../model/vault.js"
import { stateOf } from "../../../primitives/state.js"
import { idText } from "../../../session/live-session.js"
import { type RevocableToken, oauthProvider, revoke } from "./grants.js"
import { type Kept, type Revocation, keyOf, obstacle, storeOf } from "./records.js"

/** How long a revocation is tried. Seconds. */
const lifetime = 7 * 86_400

/** How long a process may take for one attempt, and what the pauses begin with. Milliseconds. */
const pauseMs = 30_000
const longestPauseMs = 6 * 3_600_000

const intervalMs = 60_000

/** Revocations that one call makes, of those that are due. */
const batch = 5

/**
 * Notes the tokens for revocation before anything is deleted, so that a crash loses none of them. The result deletes
 * them, and asks the provider, or drops what was noted because the account stays.
 */
export async function forget(
  auth: AuthContext,
  userId: string,
  account?: ForgottenAccount,
): Promise<(stays?: boolean) => Promise<void>> {
  if (obstacle(auth) !== undefined) return async () => {}
  const kept = await keptOf(auth, userId, account)
  const noted = await Promise.all(kept.map(async (each) => enqueue(auth, each)))
  return async (stays = false) => {
    if (stays) return drop(auth, noted)
    for (const each of kept) noted.push(await take(auth, each))
    for (const id of noted) await attempt(auth, id)
    await revokeDue(auth)
  }
}

/** Never throws: without the accounts of what is noted, it's dropped when it's due. */
async function drop(auth: AuthContext, noted: readonly (string | undefined)[]): Promise<void> {
  try {
    for (const id of noted) if (id !== undefined) await storeOf(auth).revocations.remove({ id })
  } catch (cause) {
    auth.logger.error(
      new AuthError("Could not drop the revocation of a token that is still used; it expires", { cause }),
    )
  }
}

/** Deletes a token, and notes the one that a renewal has put in its place: providers take the former for used up. */
async function take(auth: AuthContext, noted: Kept): Promise<string | undefined> {
  const { accounts } = storeOf(auth)
  const present = await accounts.get(keyOf(noted))
  const id = present === null || isSame(present, noted) ? undefined : await enqueue(auth, present)
  const taken = await accounts.take(keyOf(noted))
  return taken === null || isSame(taken, present ?? noted) ? id : enqueue(auth, taken)
}

function isSame(one: Kept, other: Kept): boolean {
  return one.refreshToken === other.refreshToken && one.accessToken === other.accessToken
}

type ForgottenAccount = KeptAccount & { readonly unless?: string }

async function keptOf(
  auth: AuthContext,
  userId: string,
  account: ForgottenAccount | undefined,
): Promise<readonly Kept[]> {
  const { accounts } = storeOf(auth)
  if (account !== undefined) {
    const { provider, providerAccountId, unless = "" } = account
    const found = await accounts.get({ userId, provider, accountId: idText(providerAccountId) })
    return found === null || found.scopes.includes(unless) ? [] : [found]
  }
  return (await accounts.find({ userId })).items
}

/** Notes a token for revocation. `undefined`: there is none. A refresh token takes its access tokens along (RFC 7009 §2.1). */
async function enqueue(auth: AuthContext, kept: Kept): Promise<string | undefined> {
  const { userId, provider, accountId, refreshToken, accessToken } = kept
  const token = refreshToken ?? accessToken
  if (token === undefined) return undefined
  const id = auth.runtime.uuid()
  const isRefreshToken = refreshToken !== undefined
  const noted = { id, userId, provider, accountId, token, isRefreshToken, attempts: 0, dueAt: auth.runtime.now() }
  await storeOf(auth).revocations.insert(noted, { expiresIn: lifetime })
  return id
}

const next = stateOf("revocations", (): { at: number; after?: string | undefined } => ({ at: 0 }))

/** Makes some of the revocations that are due, at most once a minute in each process. Never throws. */
export async function revokeDue(auth: AuthContext): Promise<void> {
  const now = auth.runtime.now()
  if (next(auth).at > now) return
  next(auth).at = now + intervalMs
  try {
    const { after } = next(auth)
    const page = await storeOf(auth).revocations.list({ limit: 50, ...(after !== undefined && { after }) })
    const due = page.items.filter(({ dueAt }) => dueAt <= now)
    for (const { id } of due.slice(0, batch)) await attempt(auth, id)
    // A page may be full of records that have expired, or aren't due.
    if (due.length <= batch) next(auth).after = page.next
  } catch (cause) {
    auth.logger.error(new AuthError("Could not read which tokens to revoke", { cause }))
  }
}

/** Notes a token, and asks the provider at once. */
export async function revokeNow(auth: AuthContext, kept: Kept): Promise<void> {
  await attempt(auth, await enqueue(auth, kept))
}

/** Never throws: another attempt follows. */
async function attempt(auth: AuthContext, id: string | undefined): Promise<void> {
  try {
    if (id !== undefined) await revokeOne(auth, id)
  } catch (cause) {
    auth.logger.error(new AuthError("Could not revoke a token at its provider; it's tried again later", { cause }))
  }
}

async function revokeOne(auth: AuthContext, id: string): Promise<void> {
  const { revocations } = storeOf(auth)
  const noted = await revocations.get({ id })
  const now = auth.runtime.now()
  if (noted === null || noted.dueAt > now) return
  const attempts = noted.attempts + 1
  const dueAt = now + Math.min(longestPauseMs, pauseMs * 2 ** Math.min(attempts, 12))
  // Other processes leave it alone meanwhile, and it's the time of the next attempt.
  if (!(await revocations.swap(noted, { attempts, dueAt }))) return
  // The account wasn't deleted after all, or is connected again. To revoke a former token would end the access of the new one, too.
  const isBack = (await storeOf(auth).accounts.get(keyOf(noted))) !== null
  if (!isBack) await send(auth, noted)
  await revocations.remove({ id })
}

async function send(auth: AuthContext, { provider: id, token: value, isRefreshToken }: Revocation): Promise<void> {
  const provider = oauthProvider(auth, id)
  const token: RevocableToken = { value, kind: isRefreshToken ? "refresh_token" : "access_token" }
  if (provider !== undefined) await revoke(auth, provider, token)
}
