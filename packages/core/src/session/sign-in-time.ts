import type { SessionContext } from "../model/auth.js"

/**
 * Whether each session says when its user signed in. The absolute end of a session, linking with a recent sign-in and
 * `session.notBefore` depend on it.
 */
export function keepsSignInTime({ lifetime, security }: Pick<SessionContext, "lifetime" | "security">): boolean {
  const { absoluteMaxAge, notBefore } = lifetime
  return absoluteMaxAge !== undefined || notBefore !== undefined || security.linking === "explicit"
}

// The time of sign-in is part of the token of a stored session, since the row has no column for it. A changed token finds no row.

export interface SignInTime {
  /** Milliseconds since 1970. */
  readonly authenticatedAt: number
  /** The session began at an unknown time before it. */
  readonly isAssumed: boolean
}

/** A token that tells when its user signed in. */
export function withSignInTime(token: string, { authenticatedAt, isAssumed: assumed }: SignInTime): string {
  return `${token}.${Math.floor(authenticatedAt / 1000).toString(36)}${assumed ? assumedMark : ""}`
}

/** Follows a sign-in time that was assumed. */
const assumedMark = "~"

export function isAssumed(token: string): boolean {
  return token.endsWith(assumedMark)
}

export function authenticationOf(token: string): number | undefined {
  const seconds = /\.([0-9a-z]{6,8})~?$/.exec(token)?.[1]
  return seconds === undefined ? undefined : Number.parseInt(seconds, 36) * 1000
}
