import type { Context } from "./context.js"
import type { SignInRecord } from "./records.js"

/**
 * Ends sessions here, because they ended at the provider.
 *
 * @returns how many have ended
 * @throws Error if one may still work
 */
export async function endAll(context: Context, found: readonly SignInRecord[], reason: string): Promise<number> {
  let count = 0
  for (const { session, userId } of found) if (await context.users.endSession(userId, session, reason)) count += 1
  for (const each of found) await forgetTokens(context, each, found)
  // Last, so that a logout that fails before can be repeated.
  for (const { name, provider, subject } of found) await context.records.signIn.remove({ name, provider, subject })
  return count
}

/** Refresh tokens for offline access outlive the session at the provider (OpenID Connect Back-Channel Logout 1.0 §2.7). */
export async function forgetTokens(
  { records, users }: Context,
  { provider, account: providerAccountId, subject, userId }: SignInRecord,
  ending: readonly SignInRecord[] = [],
): Promise<void> {
  const names = new Set(ending.map(({ name }) => name))
  const { items } = await records.signIn.find({ subject })
  const others = items.filter((each) => each.userId === userId && !names.has(each.name))
  // Another session at the provider may be the one that brought the tokens.
  if (others.length > 0) return
  await users.forgetTokens(userId, { provider, providerAccountId }, { unless: "offline_access" })
}
