import type { Context } from "./context.js"

const cookie = "proof"

/** Seconds. An older proof is worth nothing. */
const longestProof = 86_400

/** How long ago the factor may have been proven before it changes. Seconds. */
export const recentProof = 900

/** Remembers in this browser that the user has just proven the second factor. */
export async function rememberProof({ seal, setCookie, now }: Context, userId: string): Promise<void> {
  setCookie(cookie, await seal({ sub: userId, at: now() }, longestProof), longestProof)
}

export function forgetProof({ cookie: read, setCookie }: Context): void {
  if (read(cookie) !== undefined) setCookie(cookie, null)
}

/** Whether the user proved the second factor in this browser. @param maxAge in seconds */
export async function isProven(context: Context, userId: string, maxAge: number): Promise<boolean> {
  const { cookie: read, open, now } = context
  const { sub, at } = (await open(read(cookie) ?? "")) ?? {}
  if (sub !== userId || typeof at !== "number") return false
  const age = now() - at
  // A proof in the future comes from a wrong clock.
  return age >= 0 && age <= maxAge * 1000
}
