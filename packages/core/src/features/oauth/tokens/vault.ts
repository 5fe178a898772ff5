import type { AuthContext } from "../../../model/auth.js"
import type { VaultExport } from "../../../model/user-export.js"
import type { Vault } from "../../../model/vault.js"
import { resealKinds } from "../../../module/reseal.js"
import { forget } from "./forget.js"
import { keep } from "./keep.js"
import { kinds, obstacle, storeOf } from "./records.js"
import { fetchWithToken, token } from "./token.js"

/** Keeps the tokens of providers, and renews them. */
export const vault: Vault<AuthContext> = {
  keep,
  token,
  fetch: fetchWithToken,
  forget,
  export: exported,
  reseal: async (auth, options) => resealKinds(auth, [kinds], options),
}

/** What is kept of the accounts of a user, also of those whose tokens have yet to be revoked at the provider. Without tokens. */
async function exported(auth: AuthContext, userId: string): Promise<readonly VaultExport[]> {
  if (obstacle(auth) !== undefined) return []
  const { accounts, revocations } = storeOf(auth)
  const text = (time: number) => new Date(time).toISOString()
  const own = await revocations.find({ userId })
  return [
    ...(await accounts.find({ userId })).items.map(
      ({ provider, accountId: account, scopes, connectedAt, expiresAt }) => ({
        provider,
        account,
        scopes,
        connectedAt: text(connectedAt),
        ...(expiresAt !== undefined && { expiresAt: text(expiresAt) }),
      }),
    ),
    ...own.items.map(({ provider, accountId: account }) => ({
      provider,
      account,
      scopes: [],
      isRevoked: true as const,
    })),
  ]
}
