import type { AuthContext, ProviderWithMethod } from "../../model/auth.js"
import type { ProviderToken } from "../../model/provider-token.js"
import type { Grants } from "../../model/vault.js"
import type { Kept, Store } from "./records.js"

/** Whose token it is, and where it's kept. */
export interface Place {
  readonly auth: AuthContext
  readonly store: Store
  readonly userId: string
  readonly provider: ProviderWithMethod
  readonly grants: Grants<AuthContext>
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
