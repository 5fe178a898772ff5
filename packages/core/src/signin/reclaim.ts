import type { Adapter } from "../model/adapter.js"

/**
 * The first proof of a mailbox: whoever registered the address before it was theirs loses what they put there, so
 * that an account cannot be prepared for a victim (pre-account hijacking).
 */
export async function reclaim(adapter: Adapter, userId: string): Promise<void> {
  await adapter.deleteSessions?.(userId)
  for (const { provider, providerAccountId } of (await adapter.listAccounts?.(userId)) ?? []) {
    await adapter.unlinkAccount?.({ provider, providerAccountId })
  }
}
