/** How long ago a sign-in may be where a recent one is asked for. Milliseconds. */
export const recentSignInMs: number = 15 * 60_000

/**
 * When the person of a session that does not say so is taken to have signed in: now, so that the session gets an end,
 * but not so recently that it opens what asks for a recent sign-in.
 */
export function assumedSignInTime(now: number): number {
  return now - recentSignInMs - 1000
}

/** When a session ends that began then, whether it is used or not; milliseconds since 1970, `absoluteMaxAge` in seconds. */
export function absoluteEnd(authenticatedAt: number | undefined, absoluteMaxAge: number | undefined): number {
  if (absoluteMaxAge === undefined || authenticatedAt === undefined) return Number.POSITIVE_INFINITY
  return authenticatedAt + absoluteMaxAge * 1000
}
