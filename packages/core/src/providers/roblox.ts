import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { icon } from "../provider-kit/generated/icons/roblox.js"

/** The claims in an ID token from Roblox. */
export interface RobloxProfile extends OpenIdClaims {}

/**
 * Sign in with Roblox, using OpenID Connect.
 *
 * 1. Register an application at https://create.roblox.com/dashboard/credentials with the callback URL
 *    `https://<your site>/auth/callback/roblox` (`/api/auth/callback/roblox` with Next.js).
 * 2. Set `AUTH_ROBLOX_ID` and `AUTH_ROBLOX_SECRET`.
 *
 * Scope: `openid profile`. The user gets a name and an image, but no email.
 *
 * - Roblox refuses the scope `email`.
 *
 * @example
 * ```ts
 * import Roblox from "@latchkey/core/providers/roblox"
 * export const provider = Roblox()
 * ```
 * @see https://create.roblox.com/docs/cloud/open-cloud/oauth2-overview
 */
const Roblox: ProviderFactory<RobloxProfile, object, "roblox"> = defineProvider({
  id: "roblox",
  name: "Roblox",
  type: "oidc",
  issuer: "https://apis.roblox.com/oauth/",
  authorization: { params: { scope: "openid profile" } },
  checks: ["pkce", "state"],
  style: { brandColor: "#5865F2", icon },
})

export default Roblox
