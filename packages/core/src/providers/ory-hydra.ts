import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Hydra. */
export interface OryHydraProfile extends OpenIdClaims {}

/**
 * Sign-in with Hydra, by OpenID Connect.
 *
 * Set-up: register an application at Hydra with the callback URL `https://<your site>/auth/callback/hydra`
 * (`/api/auth/…` under Next.js), and set `AUTH_HYDRA_ID`, `AUTH_HYDRA_SECRET` and `AUTH_HYDRA_ISSUER`.
 * The issuer is the public URL of Hydra or Ory Network project, such as `https://<slug>.projects.oryapis.com`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - The module is ory-hydra but the id is hydra, so the callback path and env prefix are hydra and AUTH_HYDRA_.
 *
 * @example
 * ```ts
 * import OryHydra from "@latchkey/core/providers/ory-hydra"
 * export const provider = OryHydra({ issuer: "https://acme.projects.oryapis.com" })
 * ```
 * @see https://www.ory.com/docs/hydra
 */
const OryHydra: ProviderFactory<OryHydraProfile> = defineProvider<OryHydraProfile>({
  id: "hydra",
  name: "Hydra",
  type: "oidc",
  style: { brandColor: "#0F172A" },
})

export default OryHydra
