import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { icon } from "../provider-kit/generated/icons/line.js"

/** The claims in an ID token from LINE. */
export interface LINEProfile extends OpenIdClaims {}

/**
 * Sign in with LINE, using OpenID Connect.
 *
 * 1. Register an application at https://developers.line.biz/console/ with the callback URL
 *    `https://<your site>/auth/callback/line` (`/api/auth/callback/line` with Next.js).
 * 2. Set `AUTH_LINE_ID` and `AUTH_LINE_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - To get an email, apply for the email permission of the channel.
 *
 * @example
 * ```ts
 * import LINE from "@latchkey/core/providers/line"
 * export const provider = LINE()
 * ```
 * @see https://developers.line.biz/en/docs/line-login/integrate-line-login/
 */
const LINE: ProviderFactory<LINEProfile, object, "line"> = defineProvider({
  id: "line",
  name: "LINE",
  type: "oidc",
  issuer: "https://access.line.me",
  checks: ["state"],
  client: { id_token_signed_response_alg: "HS256" },
  style: { brandColor: "#00C300", icon },
})

export default LINE

export type LineProfile = LINEProfile
