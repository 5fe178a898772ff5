import type { AuthContext } from "../../../model/auth.js"
import type { VaultExport } from "../../../model/user-export.js"
import { obstacle, storeOf } from "./records.js"

/** What is kept of the accounts of a user, also of those whose tokens have yet to be revoked at the provider. Without tokens. */
export async function exported(auth: AuthContext, userId: string): Promise<readonly VaultExport[]> {
  if (obstacle(auth) !== undefined) return []
  const { accounts, revocations } = storeOf(auth)
  const text = (time: number) => new Date(time).toISOString()
  const own = await revocations.list()
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
    ...own.items
      .filter((each) => each.userId === userId)
      .map(({ provider, accountId: account }) => ({ provider, account, scopes: [], isRevoked: true as const })),
  ]
}
