import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { icon } from "../provider-kit/generated/icons/auth0.js"

/** The claims in an ID token from Auth0. */
export interface Auth0Profile extends OpenIdClaims {}

/**
 * Sign in with Auth0, using OpenID Connect.
 *
 * 1. Register an application at https://manage.auth0.com with the callback URL
 *    `https://<your site>/auth/callback/auth0` (`/api/auth/callback/auth0` with Next.js).
 * 2. Set `AUTH_AUTH0_ID` and `AUTH_AUTH0_SECRET`.
 * 3. Set `AUTH_AUTH0_ISSUER` to the domain of your tenant, for example `https://<tenant>.auth0.com`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Auth0 from "@latchkey/core/providers/auth0"
 * export const provider = Auth0({ issuer: "https://acme.auth0.com" })
 * ```
 * @see https://auth0.com/docs/authenticate
 */
const Auth0: ProviderFactory<Auth0Profile, object, "auth0"> = defineProvider({
  id: "auth0",
  name: "Auth0",
  type: "oidc",
  tokens: { scope: "offline_access" },
  style: { brandColor: "#EB5424", icon },
})

export default Auth0
