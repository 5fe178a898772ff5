import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** The profile that Vipps returns. */
export interface VippsProfile extends OpenIdClaims {}

/**
 * Sign in with Vipps, using OpenID Connect.
 *
 * 1. In the settings of your sales unit at https://portal.vippsmobilepay.com, add the redirect URI
 *    `https://<your site>/auth/callback/vipps` (`/api/auth/callback/vipps` with Next.js).
 * 2. Set `AUTH_VIPPS_ID` and `AUTH_VIPPS_SECRET`.
 * 3. Optional: set `AUTH_VIPPS_ISSUER`. The default is `https://api.vipps.no/access-management-1.0/access/`. For the
 *    test environment, use `https://apitest.vipps.no/access-management-1.0/access/`.
 *
 * Scope: `openid name email`. The user gets a name and an email, but no image.
 *
 * @example
 * ```ts
 * import Vipps from "@latchkey/core/providers/vipps"
 * export const provider = Vipps()
 * ```
 * @see https://developer.vippsmobilepay.com/docs/APIs/login-api/
 */
const Vipps: ProviderFactory<VippsProfile, object, "vipps"> = defineProvider({
  id: "vipps",
  name: "Vipps",
  type: "oidc",
  issuer: "https://api.vipps.no/access-management-1.0/access/",
  authorization: { params: { scope: "openid name email" } },
  checks: ["pkce", "state", "nonce"],
  idToken: false,
  style: { brandColor: "#f05c18" },
})

export default Vipps
