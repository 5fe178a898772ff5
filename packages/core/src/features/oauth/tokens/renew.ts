import { AuthError } from "../../../errors.js"
import type { AuthContext } from "../../../model/auth.js"
import type { OAuthProvider } from "../../../model/oauth-provider.js"
import type { ProviderToken, TokenResult } from "../../../model/provider-token.js"
import type { TokenSet } from "../../../model/user.js"
import { mutexOf } from "../../../primitives/state.js"
import { revokeDue, revokeNow } from "./forget.js"
import { type Refreshed, identityOf, refresh } from "./grants.js"
import { expiryOf, problemOf, scopesIn } from "./keep.js"
import { type Kept, type Store, keyOf, update } from "./records.js"

/** Whose token it is, and where it's kept. */
export interface Place {
  readonly auth: AuthContext
  readonly store: Store
  readonly userId: string
  readonly provider: OAuthProvider
}

/**
 * How long one process may take for a renewal. After its end, another one tries, which has to be within the time in which providers
 * still accept a refresh token that they have replaced: some wait half a minute. Milliseconds.
 */
const leaseMs = 15_000

/** How often a process that waits for another one looks, and the pauses. Together about eight seconds. Milliseconds. */
const maxRounds = 32
const shortestPause = 40
const longestPause = 300

type Step = TokenResult | { readonly problem: "again" } | { readonly problem: "wait" } | Ended
type Ended = { readonly problem: "needs-consent" } | { readonly problem: "not-connected" }
type Renewed = Exclude<TokenResult, { problem: "needs-consent" | "not-connected" }> | Ended

/** Renews a token with one request to the provider, however many processes ask. */
export async function renew(place: Place, first: Kept, rejected: string | undefined): Promise<Renewed> {
  const { auth, store } = place
  const key = keyOf(first)
  return mutexOf(auth).runExclusive(`token ${JSON.stringify(key)}`, async () => {
    let pause = shortestPause
    for (let round = 0; round < maxRounds; round++) {
      const kept = await store.accounts.get(key)
      if (kept === null) return { problem: "not-connected" }
      const step = isFresh(place, kept, rejected) ? toToken(kept) : await advance(place, kept, rejected)
      if (step.problem !== "again" && step.problem !== "wait") return step
      if (step.problem === "again") continue
      if (auth.runtime.sleep === undefined) break
      await auth.runtime.sleep(pause)
      pause = Math.min(longestPause, pause * 1.3)
    }
    return { problem: "unavailable", retryAfter: 1 }
  })
}

async function advance(place: Place, kept: Kept, rejected: string | undefined): Promise<Step> {
  const { auth, store } = place
  const now = auth.runtime.now()
  if (kept.refreshToken === undefined) return works(kept, rejected, now) ? toToken(kept) : { problem: "needs-consent" }
  if (kept.retryAt !== undefined && kept.retryAt > now) return postponed(kept, rejected, now)
  if (kept.leasedUntil !== undefined && kept.leasedUntil > now) return { problem: "wait" }
  const leasedBy = auth.runtime.uuid()
  if (!(await store.accounts.swap(kept, { leasedBy, leasedUntil: now + leaseMs }))) return { problem: "again" }
  const leased = await store.accounts.get(keyOf(kept))
  if (leased?.leasedBy !== leasedBy) return { problem: "again" }
  const refreshed = await refresh(auth, place.provider, kept.refreshToken, kept.identity)
  return finish(place, leased, refreshed, rejected)
}

function finish(place: Place, leased: Kept, refreshed: Refreshed, rejected: string | undefined): Promise<Step> {
  if (refreshed.kind === "tokens") {
    const error = problemOf(refreshed.tokens)
    if (error === undefined) return store(place, leased, refreshed.tokens)
    return postpone(place, leased, { kind: "unavailable", retryAfter: undefined, error }, rejected)
  }
  return refreshed.kind === "refused" ? end(place, leased) : postpone(place, leased, refreshed, rejected)
}

function works({ accessToken, expiresAt }: Kept, rejected: string | undefined, now: number): boolean {
  return accessToken !== undefined && accessToken !== rejected && (expiresAt === undefined || expiresAt > now)
}

/** A token that is about to expire still works. */
function postponed(kept: Kept, rejected: string | undefined, now: number): TokenResult {
  if (works(kept, rejected, now)) return toToken(kept)
  const left = Math.ceil(((kept.retryAt ?? now) - now) / 1000)
  return { problem: "unavailable", retryAfter: Math.max(1, left) }
}

const released = { leasedBy: undefined, leasedUntil: undefined } as const

/** How often the database may fail, when the only copy of a token is in memory. */
const maxWrites = 5

async function store(place: Place, leased: Kept, tokens: TokenSet): Promise<Step> {
  const now = place.auth.runtime.now()
  const changes = {
    ...released,
    accessToken: tokens.access_token ?? "",
    // Not every provider sends a new one.
    refreshToken: tokens.refresh_token ?? leased.refreshToken,
    issuedAt: now,
    expiresAt: expiryOf(tokens, now),
    scopes: tokens.scope === undefined ? leased.scopes : scopesIn(tokens.scope),
    identity: leased.identity && (identityOf(place.provider, tokens) ?? leased.identity),
    failures: 0,
    retryAt: undefined,
  }
  const fresh: Kept = { ...leased, ...changes }
  const outcome = await written(place, leased, changes)
  // No caller waits for it.
  void revokeDue(place.auth)
  if (outcome === "stored" || outcome === "failed") return toToken(fresh)
  // The user has connected the account again, or disconnected it.
  if (outcome === "replaced") return { problem: "again" }
  await revokeNow(place.auth, fresh)
  return { problem: "not-connected" }
}

async function written(
  place: Place,
  leased: Kept,
  changes: Partial<Kept>,
): Promise<"stored" | "replaced" | "gone" | "failed"> {
  const { auth, store } = place
  for (let attempt = 1; ; attempt++) {
    try {
      // A lease that has ended meanwhile doesn't matter, as long as no other process has renewed the token.
      if (await update(store, keyOf(leased), (kept) => (hasSameToken(kept, leased) ? changes : undefined)))
        return "stored"
      return (await store.accounts.get(keyOf(leased))) === null ? "gone" : "replaced"
    } catch (cause) {
      if (attempt < maxWrites) {
        await auth.runtime.sleep?.(attempt * 100)
        continue
      }
      const text = `Could not store a new token of the provider "${leased.provider}". If the provider has replaced the refresh token, the user has to connect the account again`
      auth.logger.error(new AuthError(text, { cause }))
      return "failed"
    }
  }
}

function hasSameToken(one: Kept, other: Kept): boolean {
  return one.refreshToken === other.refreshToken && one.refreshToken !== undefined
}

/** The provider refused the refresh token. If another process has renewed it meanwhile, that one's is read. */
async function end(place: Place, leased: Kept): Promise<Step> {
  const { auth, store } = place
  const { userId: user, provider } = leased
  const dead = { ...released, accessToken: undefined, refreshToken: undefined, failures: 0, retryAt: undefined }
  const isEnded = await update(store, keyOf(leased), (kept) => (hasSameToken(kept, leased) ? dead : undefined))
  if (!isEnded) return { problem: "again" }
  await auth.audit?.emit({ name: "token.refused", outcome: "failure", user, by: "application", data: { provider } })
  return { problem: "needs-consent" }
}

/** Seconds. A provider that asks for more is asked again then. */
const longestPostponement = 3600

async function postpone(
  place: Place,
  leased: Kept,
  { error, retryAfter }: Extract<Refreshed, { kind: "unavailable" }>,
  rejected: string | undefined,
): Promise<Step> {
  const { auth, store } = place
  const text = `Could not renew a token of the provider "${leased.provider}"`
  auth.logger.error(new AuthError(text, { cause: error }))
  const seconds = retryAfter ?? Math.min(60, 2 ** Math.min(leased.failures, 6))
  const now = auth.runtime.now()
  const retryAt = now + Math.max(1, Math.min(seconds, longestPostponement)) * 1000
  const changes = { ...released, failures: leased.failures + 1, retryAt }
  await update(store, keyOf(leased), (kept) => (hasSameToken(kept, leased) ? changes : undefined))
  return postponed({ ...leased, ...changes }, rejected, now)
}

/** How long before its end a token is renewed, at most. Milliseconds. */
const maxLeeway = 60_000

/** Whether a token needs no renewal. */
export function isFresh({ auth }: Place, kept: Kept, rejected: string | undefined): boolean {
  const { accessToken, issuedAt, expiresAt } = kept
  if (accessToken === undefined || accessToken === rejected) return false
  if (expiresAt === undefined) return true
  return expiresAt - Math.min(maxLeeway, (expiresAt - issuedAt) / 2) > auth.runtime.now()
}

export function toToken({ accessToken = "", expiresAt, scopes, accountId }: Kept): ProviderToken {
  return {
    accessToken,
    expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
    scopes,
    account: accountId,
  }
}
