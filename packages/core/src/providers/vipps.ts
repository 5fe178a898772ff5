import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** The signed-in person, as known to Vipps. */
export interface VippsProfile extends OpenIdClaims {}

/**
 * Sign-in with Vipps, by OpenID Connect.
 *
 * Set-up: register an application at Vipps with the callback URL `https://<your site>/auth/callback/vipps`
 * (`/api/auth/…` under Next.js), and set `AUTH_VIPPS_ID` and `AUTH_VIPPS_SECRET`.
 * Scope: `openid name email`. The profile is made of the standard claims.
 *
 * - The test environment has the issuer `https://apitest.vipps.no/access-management-1.0/access/`.
 *
 * @example
 * ```ts
 * import Vipps from "@latchkey/core/providers/vipps"
 * export const provider = Vipps()
 * ```
 * @see https://developer.vippsmobilepay.com/docs/APIs/login-api/
 */
const Vipps: ProviderFactory<VippsProfile> = defineProvider<VippsProfile>({
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
