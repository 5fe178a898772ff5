import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { icon } from "../provider-kit/generated/icons/okta.js"

/** The claims in an ID token from Okta. */
export interface OktaProfile extends OpenIdClaims {}

/**
 * Sign in with Okta, using OpenID Connect.
 *
 * 1. Create an OIDC web application in the Okta admin console with the sign-in redirect URI
 *    `https://<your site>/auth/callback/okta` (`/api/auth/callback/okta` with Next.js).
 * 2. Set `AUTH_OKTA_ID` and `AUTH_OKTA_SECRET`.
 * 3. Set `AUTH_OKTA_ISSUER` to your authorization server, for example `https://<domain>.okta.com/oauth2/default`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - The org authorization server, `https://<domain>.okta.com`, is a different issuer from the custom ones.
 *
 * @example
 * ```ts
 * import Okta from "@latchkey/core/providers/okta"
 * export const provider = Okta({ issuer: "https://acme.okta.com/oauth2/default" })
 * ```
 * @see https://developer.okta.com/docs/reference/api/oidc
 */
const Okta: ProviderFactory<OktaProfile, object, "okta"> = defineProvider({
  id: "okta",
  name: "Okta",
  type: "oidc",
  checks: ["pkce", "state"],
  tokens: { scope: "offline_access" },
  style: { brandColor: "#000", icon },
})

export default Okta
