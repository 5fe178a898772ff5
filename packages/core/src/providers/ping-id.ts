import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** The claims in an ID token from Ping Identity. */
export interface PingIdProfile extends OpenIdClaims {}

/**
 * Sign in with Ping Identity, using OpenID Connect.
 *
 * 1. Add an OIDC web application to your PingOne environment with the redirect URI
 *    `https://<your site>/auth/callback/ping-id` (`/api/auth/callback/ping-id` with Next.js).
 * 2. Set `AUTH_PING_ID_ID` and `AUTH_PING_ID_SECRET`.
 * 3. Set `AUTH_PING_ID_ISSUER` to the issuer of the environment, for example
 *    `https://auth.pingone.com/<environmentId>/as`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import PingId from "@latchkey/core/providers/ping-id"
 * export const provider = PingId({ issuer: "https://auth.pingone.com/env-id/as" })
 * ```
 * @see https://docs.pingidentity.com/pingone/applications/p1_applications_oidc.html
 */
const PingId: ProviderFactory<PingIdProfile, object, "ping-id"> = defineProvider({
  id: "ping-id",
  name: "Ping Identity",
  type: "oidc",
})

export default PingId

export type PingProfile = PingIdProfile
