import { maxProviderToken } from "../../../limits/of-input.js"
import type { AuthContext } from "../../../model/auth.js"
import type { Identity } from "../../../model/session-strategy.js"
import type { Account, TokenSet } from "../../../model/user.js"
import { AuthError } from "../../../errors.js"
import { idText } from "../../../session/live-session.js"
import { disabledRecord } from "../../../revoke/disabled.js"
import { forget } from "./forget.js"
import { askedScopes, identityOf, oauthProvider } from "./grants.js"
import { type Kept, keyOf, obstacle, storeOf, update } from "./records.js"

/** Stores the tokens of a sign-in. It has succeeded already, so a failure is only logged. */
export async function keep(auth: AuthContext, { user, account }: Identity): Promise<void> {
  if (obstacle(auth) !== undefined || account?.access_token === undefined) return
  const { provider } = account
  try {
    const userId = idText(user.id)
    await store(auth, await granted(auth, userId, account))
    // `disable` may have looked for tokens before these were there.
    if ((await disabledRecord(auth, userId)) !== null) await (await forget(auth, userId, account))()
  } catch (cause) {
    const text = `Could not keep the tokens of the provider "${provider}", so \`token\` doesn't have them`
    auth.logger.error(new AuthError(text, { cause }))
  }
}

async function granted(auth: AuthContext, userId: string, account: Account): Promise<Kept> {
  const { provider, providerAccountId: id, access_token: accessToken, refresh_token: refreshToken } = account
  const given = oauthProvider(auth, provider)
  const now = auth.runtime.now()
  const problem = problemOf(account)
  if (problem !== undefined) throw problem
  return {
    userId,
    provider,
    accountId: idText(id),
    isNumber: typeof id === "number",
    accessToken,
    refreshToken,
    issuedAt: now,
    expiresAt: expiryOf(account, now),
    // A server that grants what was asked for may leave it out (RFC 6749 §5.1).
    scopes: scopesIn(account.scope ?? (given && askedScopes(given))),
    connectedAt: now,
    identity: identityOf(given, account),
    leasedBy: undefined,
    leasedUntil: undefined,
    failures: 0,
    retryAt: undefined,
  }
}

/** Seconds since 1970. A later time isn't one. */
const farFuture = 1e11

/** Why tokens can't be kept. RFC 6749 §A.12: other characters would be no header, and an error would show them. `undefined`: they can. */
export function problemOf({ access_token: access = "", refresh_token: next = "" }: TokenSet): AuthError | undefined {
  if (Math.max(access.length, next.length) <= maxProviderToken && /^[\x20-\x7e]*$/.test(access + next)) return undefined
  return new AuthError(`A token has more than ${maxProviderToken} characters, or others than those of ASCII`)
}

/** Milliseconds since 1970, from a number of seconds. */
export function expiryOf(
  { expires_in: lifetime, expires_at: at }: Pick<Account, "expires_in" | "expires_at">,
  now: number,
): number | undefined {
  // Some services say 0 for "never".
  if (typeof lifetime === "number" && lifetime > 0) return now + Math.floor(lifetime * 1000)
  return typeof at === "number" && at > 0 && at < farFuture ? Math.floor(at * 1000) : undefined
}

/** Some services separate scopes with commas. */
export function scopesIn(text: string | undefined): readonly string[] {
  return [...new Set((text ?? "").split(/[\s,]+/).filter((scope) => scope !== ""))]
}

async function store(auth: AuthContext, fresh: Kept): Promise<void> {
  const records = storeOf(auth)
  if (await records.accounts.insert(fresh)) return
  await update(records, keyOf(fresh), (kept) => merged(kept, fresh))
}

/** A sign-in with fewer scopes doesn't replace the token of one with more, as long as that one works or can be renewed. */
function merged(kept: Kept, fresh: Kept): Partial<Kept> {
  const { connectedAt, issuedAt: now } = fresh
  const isLess = fresh.scopes.length < kept.scopes.length && fresh.scopes.every((scope) => kept.scopes.includes(scope))
  if (isLess && isUsable(kept, now)) return { connectedAt }
  // Services that send a refresh token only once expect us to keep it.
  return { ...fresh, refreshToken: fresh.refreshToken ?? kept.refreshToken }
}

function isUsable({ accessToken, refreshToken, expiresAt }: Kept, now: number): boolean {
  return refreshToken !== undefined || (accessToken !== undefined && (expiresAt === undefined || expiresAt > now))
}
