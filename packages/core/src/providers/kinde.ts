import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Kinde. */
export interface KindeProfile extends OpenIdClaims {}

/**
 * Sign-in with Kinde, by OpenID Connect.
 *
 * Set-up: register an application at Kinde with the callback URL `https://<your site>/auth/callback/kinde`
 * (`/api/auth/…` under Next.js), and set `AUTH_KINDE_ID`, `AUTH_KINDE_SECRET` and `AUTH_KINDE_ISSUER`.
 * The issuer is the Kinde domain, such as `https://<subdomain>.kinde.com`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - Kinde insists on a state of at least eight characters.
 *
 * @example
 * ```ts
 * import Kinde from "@latchkey/core/providers/kinde"
 * export const provider = Kinde({ issuer: "https://acme.kinde.com" })
 * ```
 * @see https://docs.kinde.com/developer-tools/about/our-oauth-scopes/
 */
const Kinde: ProviderFactory<KindeProfile> = defineProvider<KindeProfile>({
  id: "kinde",
  name: "Kinde",
  type: "oidc",
  checks: ["state", "pkce"],
  style: { brandColor: "#0F0F0F" },
})

export default Kinde
