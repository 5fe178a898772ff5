import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Passage. */
export interface PassageProfile extends OpenIdClaims {}

/**
 * Sign-in with Passage, by OpenID Connect.
 *
 * Set-up: register an application at Passage with the callback URL `https://<your site>/auth/callback/passage`
 * (`/api/auth/…` under Next.js), and set `AUTH_PASSAGE_ID`, `AUTH_PASSAGE_SECRET` and `AUTH_PASSAGE_ISSUER`.
 * The issuer is the hosted-login issuer, such as `https://<subdomain>.withpassage.com`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * @deprecated 1Password announced the end of Passage for 16 January 2026.
 * @example
 * ```ts
 * import Passage from "@latchkey/core/providers/passage"
 * export const provider = Passage({ issuer: "https://acme.withpassage.com" })
 * ```
 * @see https://docs.passage.id/hosted-login/oidc-client-configuration
 */
const Passage: ProviderFactory<PassageProfile> = defineProvider<PassageProfile>({
  id: "passage",
  name: "Passage",
  type: "oidc",
  deprecated: "Passage ended in January 2026",
  client: { token_endpoint_auth_method: "client_secret_basic" },
  style: { brandColor: "#3d53f6" },
})

export default Passage
