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
  for (const { name, provider, session, userId } of found) {
    if (await context.users.endSession(userId, session, reason)) count += 1
    await context.records.signIn.remove({ name, provider })
  }
  for (const each of found) await forgetTokens(context, each)
  return count
}

/** Refresh tokens for offline access outlive the session at the provider (OpenID Connect Back-Channel Logout 1.0 §2.7). */
export async function forgetTokens({ records, users }: Context, signIn: SignInRecord): Promise<void> {
  const { provider, account: providerAccountId, subject, userId } = signIn
  const others = (await records.signIn.find({ subject })).items.filter((each) => each.userId === userId)
  // Another session at the provider may be the one that brought the tokens.
  if (others.length > 0) return
  await users.forgetTokens(userId, { provider, providerAccountId }, { unless: "offline_access" })
}
