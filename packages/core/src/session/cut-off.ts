import type { Lifetime } from "../model/auth.js"

interface Beginning {
  /** Milliseconds since 1970. `undefined`: not known. */
  readonly authenticatedAt: number | undefined
  /** The time was assumed later, so the session began at an unknown time before it. */
  readonly isAssumed: boolean
}

/**
 * Whether `session.notBefore` ended a session: it has passed, and the session isn't known to have begun later. The time of the
 * last renewal doesn't count, because a session that began before may have been renewed after.
 */
export function endedByCutOff(
  { notBefore }: Pick<Lifetime, "notBefore">,
  { authenticatedAt, isAssumed }: Beginning,
  now: number,
): boolean {
  if (notBefore === undefined || now < notBefore) return false
  // Also ends all of them if the date isn't valid, which a session reader doesn't check.
  return isAssumed || authenticatedAt === undefined || !(authenticatedAt >= notBefore)
}
