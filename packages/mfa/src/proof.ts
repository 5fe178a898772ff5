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

/** When the user last proved the second factor in this browser. Milliseconds since 1970. */
export async function provenAt({ cookie: read, open, now }: Context, userId: string): Promise<number | null> {
  const { sub, at } = (await open(read(cookie) ?? "")) ?? {}
  // A proof in the future comes from a wrong clock.
  return sub === userId && typeof at === "number" && at <= now() ? at : null
}

/** @param maxAge in seconds */
export async function isProven(context: Context, userId: string, maxAge: number): Promise<boolean> {
  const at = await provenAt(context, userId)
  return at !== null && context.now() - at <= maxAge * 1000
}
