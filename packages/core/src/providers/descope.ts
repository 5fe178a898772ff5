import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** The claims in an ID token from Descope. */
export interface DescopeProfile extends OpenIdClaims {}

/**
 * Sign in with Descope, using OpenID Connect.
 *
 * 1. Register an application at https://app.descope.com with the callback URL
 *    `https://<your site>/auth/callback/descope` (`/api/auth/callback/descope` with Next.js).
 * 2. Set `AUTH_DESCOPE_ID` and `AUTH_DESCOPE_SECRET`.
 * 3. Optional: set `AUTH_DESCOPE_ISSUER`. The default is `https://api.descope.com/<projectId>`. For a custom domain,
 *    use its URL.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - The client id is the id of your Descope project.
 *
 * @example
 * ```ts
 * import Descope from "@latchkey/core/providers/descope"
 * export const provider = Descope()
 * ```
 * @see https://docs.descope.com/auth-methods/oauth/custom-providers
 */
const Descope: ProviderFactory<DescopeProfile, object, "descope"> = defineProvider(({ clientId, issuer }) => ({
  id: "descope",
  name: "Descope",
  type: "oidc",
  issuer: issuer ?? (clientId && `https://api.descope.com/${clientId}`),
  checks: ["pkce", "state"],
  style: { brandColor: "#1C1C23" },
}))

export default Descope
