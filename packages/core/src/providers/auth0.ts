import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { FullOpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Auth0. */
export interface Auth0Profile extends FullOpenIdClaims {}

/**
 * Sign-in with Auth0, by OpenID Connect.
 *
 * Set-up: register an application at Auth0 with the callback URL `https://<your site>/auth/callback/auth0`
 * (`/api/auth/…` under Next.js), and set `AUTH_AUTH0_ID`, `AUTH_AUTH0_SECRET` and `AUTH_AUTH0_ISSUER`.
 * The issuer is the tenant base URL, such as `https://<tenant>.auth0.com`.
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
