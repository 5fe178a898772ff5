import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** The claims in an ID token from United Effects. */
export interface UnitedEffectsProfile extends OpenIdClaims {}

/**
 * Sign in with United Effects, using OpenID Connect.
 *
 * 1. Create a client in your United Effects auth group with the redirect URI
 *    `https://<your site>/auth/callback/united-effects` (`/api/auth/callback/united-effects` with Next.js).
 * 2. Set `AUTH_UNITED_EFFECTS_ID` and `AUTH_UNITED_EFFECTS_SECRET`.
 * 3. Set `AUTH_UNITED_EFFECTS_ISSUER` to the URL of the auth group, for example
 *    `https://auth.unitedeffects.com/<authGroupId>`.
 *
 * Scope: `openid email profile`. The user gets an email, but no name and no image.
 *
 * @example
 * ```ts
 * import UnitedEffects from "@latchkey/core/providers/united-effects"
 * export const provider = UnitedEffects({ issuer: "https://auth.unitedeffects.com/group-id" })
 * ```
 * @see https://docs.unitedeffects.com/integrations/nextauthjs
 */
const UnitedEffects: ProviderFactory<UnitedEffectsProfile, object, "united-effects"> = defineProvider(({ issuer }) => ({
  id: "united-effects",
  name: "United Effects",
  type: "oidc",
  authorization: { params: { scope: "openid email profile", resource: issuer } },
}))

export default UnitedEffects
