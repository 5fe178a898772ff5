import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** The signed-in person, as known to Salesforce. */
export interface SalesforceProfile extends OpenIdClaims {}

/**
 * Sign-in with Salesforce, by OpenID Connect.
 *
 * Set-up: register an application at Salesforce with the callback URL `https://<your site>/auth/callback/salesforce`
 * (`/api/auth/…` under Next.js), and set `AUTH_SALESFORCE_ID` and `AUTH_SALESFORCE_SECRET`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - For a sandbox set the issuer `https://test.salesforce.com`; with a domain of your own, that domain.
 * - The id is an address that holds the organisation and the person.
 *
 * @example
 * ```ts
 * import Salesforce from "@latchkey/core/providers/salesforce"
 * export const provider = Salesforce()
 * ```
 * @see https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_openid.htm
 */
const Salesforce: ProviderFactory<SalesforceProfile> = defineProvider<SalesforceProfile>({
  id: "salesforce",
  name: "Salesforce",
  type: "oidc",
  issuer: "https://login.salesforce.com",
  checks: ["pkce", "state", "nonce"],
  idToken: false,
  style: { brandColor: "#00a1e0" },
})

export default Salesforce
