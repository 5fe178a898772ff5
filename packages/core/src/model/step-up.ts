/** The route that asks a user again, and then leads to where they came from. */
export const stepUpRoute = "step-up"

/** A time in words: `"90s"`, `"5m"`, `"12h"`, `"30d"`. */
export type Duration = `${number}${"s" | "m" | "h" | "d"}`

/** What a page or route asks of a session besides that there is one (RFC 9470). */
export interface StepUp {
  /** How long ago the user signed in or proved a factor, at most: seconds, or text such as `"5m"`. @default any time */
  readonly maxAge?: number | Duration | undefined
  /** 1: any sign-in. 2: two factors, and a trusted device isn't one. @default 1 */
  readonly level?: 1 | 2 | undefined
}

/** The same, once it's checked. */
export interface AskedLevel {
  /** Seconds. `undefined`: any time. */
  readonly maxAge: number | undefined
  readonly level: 1 | 2
}

/**
 * When and how the user of a session signed in: with `session.stepUp`, the claim `authentication` of a sealed session, and a part
 * of the token of a stored one.
 */
export interface Authentication {
  /** When they signed in here. Seconds since 1970. */
  readonly auth_time: number
  /** How (RFC 8176). `"mfa"`: with two factors. */
  readonly amr: readonly string[]
  /** The level that an OpenID provider named. */
  readonly acr?: string
  /** When the OpenID provider had authenticated them, if that was earlier. Seconds since 1970; 0: it doesn't say. */
  readonly idp_auth_time?: number
  /** Names the sign-in, if a module has `needsCookie`. */
  readonly id?: string
  /** Shows that the site wrote this, for this user. A claim of the name may be the application's, from before the option was set. */
  readonly tag: string
}
