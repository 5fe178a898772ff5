import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Roblox. */
export interface RobloxProfile extends OpenIdClaims {}

/**
 * Sign-in with Roblox, by OpenID Connect.
 *
 * Set-up: register an application at Roblox with the callback URL `https://<your site>/auth/callback/roblox`
 * (`/api/auth/…` under Next.js), and set `AUTH_ROBLOX_ID` and `AUTH_ROBLOX_SECRET`.
 * Scope: `openid profile`. The profile is made of the standard claims.
 *
 * - The issuer ends with a slash, so the discovery URL must not get a double slash.
 * - No e-mail.
 * - email is not a scope; asking for it is refused.
 *
 * @example
 * ```ts
 * import Roblox from "@latchkey/core/providers/roblox"
 * export const provider = Roblox()
 * ```
 * @see https://create.roblox.com/docs/cloud/open-cloud/oauth2-overview
 */
const Roblox: ProviderFactory<RobloxProfile> = defineProvider<RobloxProfile>({
  id: "roblox",
  name: "Roblox",
  type: "oidc",
  issuer: "https://apis.roblox.com/oauth/",
  authorization: { params: { scope: "openid profile" } },
  checks: ["pkce", "state"],
  style: { brandColor: "#5865F2" },
})

export default Roblox
