import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** The claims in an ID token from Passage. */
export interface PassageProfile extends OpenIdClaims {}

/**
 * Sign in with Passage, using OpenID Connect.
 *
 * 1. Register your site in the Passage console with the redirect URL `https://<your site>/auth/callback/passage`
 *    (`/api/auth/callback/passage` with Next.js).
 * 2. Set `AUTH_PASSAGE_ID` and `AUTH_PASSAGE_SECRET`.
 * 3. Set `AUTH_PASSAGE_ISSUER` to the hosted login URL, for example `https://<subdomain>.withpassage.com`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @deprecated 1Password announced the end of Passage for January 16, 2026.
 * @example
 * ```ts
 * import Passage from "@latchkey/core/providers/passage"
 * export const provider = Passage({ issuer: "https://acme.withpassage.com" })
 * ```
 * @see https://docs.passage.id/hosted-login/oidc-client-configuration
 */
const Passage: ProviderFactory<PassageProfile, object, "passage"> = defineProvider({
  id: "passage",
  name: "Passage",
  type: "oidc",
  deprecated: "Passage ended in January 2026. Remove this provider.",
  client: { token_endpoint_auth_method: "client_secret_basic" },
  style: { brandColor: "#3d53f6" },
})

export default Passage
