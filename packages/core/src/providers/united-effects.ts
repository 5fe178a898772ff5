import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of United Effects. */
export interface UnitedEffectsProfile extends OpenIdClaims {}

/**
 * Sign-in with United Effects, by OpenID Connect.
 *
 * Set-up: register an application at United Effects with the callback URL `https://<your
 * site>/auth/callback/united-effects` (`/api/auth/…` under Next.js), and set `AUTH_UNITED_EFFECTS_ID`,
 * `AUTH_UNITED_EFFECTS_SECRET` and `AUTH_UNITED_EFFECTS_ISSUER`.
 * The issuer is the auth group URL, such as `https://auth.unitedeffects.com/<authGroupId>`.
 * Scope: `openid email profile`. The profile is made of the standard claims.
 *
 * - resource (RFC 8707) must name the issuer.
 * - Name and picture are not returned by design.
 *
 * @example
 * ```ts
 * import UnitedEffects from "@latchkey/core/providers/united-effects"
 * export const provider = UnitedEffects({ issuer: "https://auth.unitedeffects.com/group-id" })
 * ```
 * @see https://docs.unitedeffects.com/integrations/nextauthjs
 */
const UnitedEffects: ProviderFactory<UnitedEffectsProfile> = defineProvider<UnitedEffectsProfile>(({ issuer }) => ({
  id: "united-effects",
  name: "United Effects",
  type: "oidc",
  authorization: { params: { scope: "openid email profile", resource: issuer } },
}))

export default UnitedEffects
