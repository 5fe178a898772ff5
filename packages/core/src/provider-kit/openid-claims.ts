import type { ServiceProfile } from "../model/provider.js"

/**
 * Claims of an ID token (OpenID Connect Core 1.0 §2 and §5.1). A service may leave out all but `sub`. They're required
 * here as in Auth.js 5, so that a `profile` function written for it compiles.
 */
export interface OpenIdClaims extends ServiceProfile {
  readonly sub: string
  readonly iss: string
  readonly aud: string
  /** Seconds since 1970. */
  readonly iat: number
  /** Seconds since 1970. */
  readonly exp: number
  /** Seconds since 1970. */
  readonly auth_time: number
  readonly nonce: string
  readonly sid: string
  readonly name: string
  readonly given_name: string
  readonly family_name: string
  readonly nickname: string
  readonly preferred_username: string
  readonly email: string
  readonly email_verified: boolean
  readonly picture: string
  readonly locale: string
  readonly zoneinfo: string
  readonly updated_at: number | string
}
