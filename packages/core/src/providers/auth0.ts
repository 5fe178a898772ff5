import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "./define.js"

/** Claims of an ID token of Auth0. */
export interface Auth0Profile extends RawProfile {
  readonly sub: string
  readonly iss: string
  readonly aud: string
  readonly iat: number
  readonly exp: number
  readonly auth_time?: number
  readonly nonce?: string
  readonly sid?: string
  readonly name: string
  readonly given_name?: string
  readonly family_name?: string
  readonly nickname?: string
  readonly preferred_username: string
  readonly email: string
  readonly email_verified: boolean
  readonly picture?: string
  readonly locale?: string
  readonly zoneinfo?: string
  readonly updated_at?: number | string
}

/**
 * Sign-in with Auth0, by OpenID Connect.
 *
 * Set-up: register an application at Auth0 with the callback URL `https://<your site>/auth/callback/auth0`
 * (`/api/auth/…` under Next.js), and set `AUTH_AUTH0_ID`, `AUTH_AUTH0_SECRET` and `AUTH_AUTH0_ISSUER`.
 * The issuer is the tenant base URL, such as `https://{tenant}.auth0.com`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * @example
 * ```ts
 * import Auth0 from "@latchkey/core/providers/auth0"
 * export const provider = Auth0({ issuer: "https://acme.auth0.com" })
 * ```
 * @see https://auth0.com/docs/authenticate
 */
const Auth0: ProviderFactory<Auth0Profile> = defineProvider<Auth0Profile>({
  id: "auth0",
  name: "Auth0",
  type: "oidc",
  style: { brandColor: "#EB5424" },
})

export default Auth0
