import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Descope. */
export interface DescopeProfile extends OpenIdClaims {}

/**
 * Sign-in with Descope, by OpenID Connect.
 *
 * Set-up: register an application at Descope with the callback URL `https://<your site>/auth/callback/descope`
 * (`/api/auth/…` under Next.js), and set `AUTH_DESCOPE_ID` and `AUTH_DESCOPE_SECRET`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - The issuer is derived from the client id when it is not given, and the caller's options object is mutated to
 *   hold it.
 *
 * @example
 * ```ts
 * import Descope from "@latchkey/core/providers/descope"
 * export const provider = Descope()
 * ```
 * @see https://docs.descope.com/auth-methods/oauth/custom-providers
 */
const Descope: ProviderFactory<DescopeProfile> = defineProvider<DescopeProfile>(({ clientId, issuer }) => ({
  id: "descope",
  name: "Descope",
  type: "oidc",
  issuer: issuer ?? (clientId && `https://api.descope.com/${clientId}`),
  checks: ["pkce", "state"],
  style: { brandColor: "#1C1C23" },
}))

export default Descope
