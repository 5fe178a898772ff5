import { publishedIssuer, urlBelow } from "../provider-kit/issuer-url.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Asgardeo. */
export interface AsgardeoProfile extends OpenIdClaims {}

/**
 * Sign-in with Asgardeo, by OpenID Connect.
 *
 * Set-up: register an application at Asgardeo with the callback URL `https://<your site>/auth/callback/asgardeo`
 * (`/api/auth/…` under Next.js), and set `AUTH_ASGARDEO_ID`, `AUTH_ASGARDEO_SECRET` and `AUTH_ASGARDEO_ISSUER`.
 * The issuer is the organisation base URL, such as `https://api.asgardeo.io/t/<organisation>`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * @example
 * ```ts
 * import Asgardeo from "@latchkey/core/providers/asgardeo"
 * export const provider = Asgardeo({ issuer: "https://api.asgardeo.io/t/acme" })
 * ```
 * @see https://wso2.com/asgardeo/docs/guides/authentication
 */
const Asgardeo: ProviderFactory<AsgardeoProfile> = defineProvider<AsgardeoProfile>(({ issuer }) => ({
  id: "asgardeo",
  name: "Asgardeo",
  type: "oidc",
  wellKnown: urlBelow(issuer?.replace(/\/oauth2\/token\/?$/, ""), "/oauth2/token/.well-known/openid-configuration"),
  // The metadata names a longer issuer than the address that is usually given.
  issuerFor: publishedIssuer,
  style: { brandColor: "#000" },
}))

export default Asgardeo
