import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { FullOpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Okta. */
export interface OktaProfile extends FullOpenIdClaims {}

/**
 * Sign-in with Okta, by OpenID Connect.
 *
 * Set-up: register an application at Okta with the callback URL `https://<your site>/auth/callback/okta`
 * (`/api/auth/…` under Next.js), and set `AUTH_OKTA_ID`, `AUTH_OKTA_SECRET` and `AUTH_OKTA_ISSUER`.
 * The issuer is the Okta org or authorization-server URL, such as `https://<domain>.okta.com/oauth2/default`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - The org server (https://{domain}) and custom servers (…/oauth2/{id}) are different issuers.
 *
 * @example
 * ```ts
 * import Okta from "@latchkey/core/providers/okta"
 * export const provider = Okta({ issuer: "https://acme.okta.com/oauth2/default" })
 * ```
 * @see https://developer.okta.com/docs/reference/api/oidc
 */
const Okta: ProviderFactory<OktaProfile> = defineProvider<OktaProfile>({
  id: "okta",
  name: "Okta",
  type: "oidc",
  checks: ["pkce", "state"],
  style: { brandColor: "#000" },
})

export default Okta
