import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of LINE. */
export interface LINEProfile extends OpenIdClaims {}

/**
 * Sign-in with LINE, by OpenID Connect.
 *
 * Set-up: register an application at LINE with the callback URL `https://<your site>/auth/callback/line`
 * (`/api/auth/…` under Next.js), and set `AUTH_LINE_ID` and `AUTH_LINE_SECRET`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - ID tokens of the web flow are signed with HS256 using the channel secret, while discovery announces ES256.
 * - The e-mail claim needs a permission granted to the channel.
 *
 * @example
 * ```ts
 * import LINE from "@latchkey/core/providers/line"
 * export const provider = LINE()
 * ```
 * @see https://developers.line.biz/en/docs/line-login/integrate-line-login/
 */
const LINE: ProviderFactory<LINEProfile> = defineProvider<LINEProfile>({
  id: "line",
  name: "LINE",
  type: "oidc",
  issuer: "https://access.line.me",
  checks: ["state"],
  client: { id_token_signed_response_alg: "HS256" },
  style: { brandColor: "#00C300" },
})

export default LINE
