import { clockTolerance } from "../crypto/token-sealer.js"

/** How long ago a recent sign-in may be. Milliseconds. */
export const recentSignInMs: number = 15 * 60_000

/** A sign-in in the future comes from a wrong clock and proves nothing. */
export function isRecentSignIn(authenticatedAt: number | undefined, now: number): boolean {
  const age = now - (authenticatedAt ?? 0)
  return age <= recentSignInMs && age >= -clockTolerance * 1000
}

/**
 * The sign-in time of a session that has none stored, in milliseconds since 1970: now, so the session gets an absolute
 * end, but not recent enough to count as a recent sign-in.
 */
export function assumedSignInTime(now: number): number {
  return now - recentSignInMs - 1000
}

/** When a session ends even if it's used. Milliseconds since 1970; `absoluteMaxAge` is in seconds. */
export function absoluteEnd(authenticatedAt: number | undefined, absoluteMaxAge: number | undefined): number {
  if (absoluteMaxAge === undefined || authenticatedAt === undefined) return Number.POSITIVE_INFINITY
  return authenticatedAt + absoluteMaxAge * 1000
}

/** Adapters over serial columns return numbers, although ids are strings by contract. Compare and seal them as text. */
export function idText(id: string | number): string {
  return String(id)
}
