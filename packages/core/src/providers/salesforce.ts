import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { icon } from "../provider-kit/generated/icons/salesforce.js"

/** The profile that Salesforce returns. */
export interface SalesforceProfile extends OpenIdClaims {}

/**
 * Sign in with Salesforce, using OpenID Connect.
 *
 * 1. Create a connected app in Salesforce with the callback URL `https://<your site>/auth/callback/salesforce`
 *    (`/api/auth/callback/salesforce` with Next.js).
 * 2. Set `AUTH_SALESFORCE_ID` and `AUTH_SALESFORCE_SECRET`.
 * 3. Optional: set `AUTH_SALESFORCE_ISSUER`. The default is `https://login.salesforce.com`. For a sandbox, use
 *    `https://test.salesforce.com`. For a custom domain, use its URL.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - The account id is a URL that contains the ids of the organization and the user.
 *
 * @example
 * ```ts
 * import Salesforce from "@latchkey/core/providers/salesforce"
 * export const provider = Salesforce()
 * ```
 * @see https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_openid.htm
 */
const Salesforce: ProviderFactory<SalesforceProfile, object, "salesforce"> = defineProvider({
  id: "salesforce",
  name: "Salesforce",
  type: "oidc",
  issuer: "https://login.salesforce.com",
  checks: ["pkce", "state", "nonce"],
  idToken: false,
  tokens: { scope: "refresh_token" },
  style: { brandColor: "#00a1e0", icon },
})

export default Salesforce
