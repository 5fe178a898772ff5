import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** The claims in an ID token from Kinde. */
export interface KindeProfile extends OpenIdClaims {}

/**
 * Sign in with Kinde, using OpenID Connect.
 *
 * 1. Add a back-end web application in Kinde with the allowed callback URL `https://<your site>/auth/callback/kinde`
 *    (`/api/auth/callback/kinde` with Next.js).
 * 2. Set `AUTH_KINDE_ID` and `AUTH_KINDE_SECRET`.
 * 3. Set `AUTH_KINDE_ISSUER` to your Kinde domain, for example `https://<subdomain>.kinde.com`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Kinde from "@latchkey/core/providers/kinde"
 * export const provider = Kinde({ issuer: "https://acme.kinde.com" })
 * ```
 * @see https://docs.kinde.com/developer-tools/about/our-oauth-scopes/
 */
const Kinde: ProviderFactory<KindeProfile, object, "kinde"> = defineProvider({
  id: "kinde",
  name: "Kinde",
  type: "oidc",
  checks: ["state", "pkce"],
  tokens: { scope: "offline" },
  style: { brandColor: "#0F0F0F" },
})

export default Kinde
