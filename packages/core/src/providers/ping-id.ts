import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Ping Identity. */
export interface PingIdProfile extends OpenIdClaims {}

/**
 * Sign-in with Ping Identity, by OpenID Connect.
 *
 * Set-up: register an application at Ping Identity with the callback URL `https://<your site>/auth/callback/ping-id`
 * (`/api/auth/…` under Next.js), and set `AUTH_PING_ID_ID`, `AUTH_PING_ID_SECRET` and `AUTH_PING_ID_ISSUER`.
 * The issuer is the PingOne environment issuer, such as `https://auth.pingone.com/<environmentId>/as`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * @example
 * ```ts
 * import PingId from "@latchkey/core/providers/ping-id"
 * export const provider = PingId({ issuer: "https://auth.pingone.com/env-id/as" })
 * ```
 * @see https://docs.pingidentity.com/pingone/applications/p1_applications_oidc.html
 */
const PingId: ProviderFactory<PingIdProfile> = defineProvider<PingIdProfile>({
  id: "ping-id",
  name: "Ping Identity",
  type: "oidc",
})

export default PingId
