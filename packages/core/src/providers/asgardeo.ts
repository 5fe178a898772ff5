import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { publishedIssuer, urlBelow } from "../provider-kit/options.js"

/** The claims in an ID token from Asgardeo. */
export interface AsgardeoProfile extends OpenIdClaims {}

/**
 * Sign in with Asgardeo, using OpenID Connect.
 *
 * 1. Register an application at https://console.asgardeo.io with the callback URL
 *    `https://<your site>/auth/callback/asgardeo` (`/api/auth/callback/asgardeo` with Next.js).
 * 2. Set `AUTH_ASGARDEO_ID` and `AUTH_ASGARDEO_SECRET`.
 * 3. Set `AUTH_ASGARDEO_ISSUER` to the URL of your organization, for example
 *    `https://api.asgardeo.io/t/<organization>`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Asgardeo from "@latchkey/core/providers/asgardeo"
 * export const provider = Asgardeo({ issuer: "https://api.asgardeo.io/t/acme" })
 * ```
 * @see https://wso2.com/asgardeo/docs/guides/authentication
 */
const Asgardeo: ProviderFactory<AsgardeoProfile, object, "asgardeo"> = defineProvider(({ issuer }) => ({
  id: "asgardeo",
  name: "Asgardeo",
  type: "oidc",
  wellKnown: urlBelow(issuer?.replace(/\/oauth2\/token\/?$/, ""), "/oauth2/token/.well-known/openid-configuration"),
  // The discovery document names a longer issuer than the configured one.
  issuerFor: publishedIssuer,
  style: { brandColor: "#000" },
}))

export default Asgardeo
