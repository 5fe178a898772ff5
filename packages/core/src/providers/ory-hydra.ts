import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { icon } from "../provider-kit/generated/icons/ory-hydra.js"

/** The claims in an ID token from Hydra. */
export interface OryHydraProfile extends OpenIdClaims {}

/**
 * Sign in with Hydra, using OpenID Connect.
 *
 * 1. Create an OAuth 2 client in Ory with the redirect URI `https://<your site>/auth/callback/hydra`
 *    (`/api/auth/callback/hydra` with Next.js).
 * 2. Set `AUTH_HYDRA_ID` and `AUTH_HYDRA_SECRET`.
 * 3. Set `AUTH_HYDRA_ISSUER` to the public URL of Hydra or of your Ory Network project, for example
 *    `https://<slug>.projects.oryapis.com`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - The id is `hydra`, not `ory-hydra`.
 *
 * @example
 * ```ts
 * import OryHydra from "@latchkey/core/providers/ory-hydra"
 * export const provider = OryHydra({ issuer: "https://acme.projects.oryapis.com" })
 * ```
 * @see https://www.ory.com/docs/hydra
 */
const OryHydra: ProviderFactory<OryHydraProfile, object, "hydra"> = defineProvider({
  id: "hydra",
  name: "Hydra",
  type: "oidc",
  tokens: { scope: "offline_access" },
  style: { brandColor: "#0F172A", icon },
})

export default OryHydra
