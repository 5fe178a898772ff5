import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { FullOpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of ZITADEL. */
export interface ZITADELProfile extends FullOpenIdClaims {}

/**
 * Sign-in with ZITADEL, by OpenID Connect.
 *
 * Set-up: register an application at ZITADEL with the callback URL `https://<your site>/auth/callback/zitadel`
 * (`/api/auth/…` under Next.js), and set `AUTH_ZITADEL_ID`, `AUTH_ZITADEL_SECRET` and `AUTH_ZITADEL_ISSUER`.
 * The issuer is the instance domain, such as `https://<instance>.zitadel.cloud`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - Roles and organisation claims need reserved scopes (urn:zitadel:iam:…).
 * - By default profile claims may be only in userinfo unless the application setting puts them in the ID token.
 *
 * @example
 * ```ts
 * import ZITADEL from "@latchkey/core/providers/zitadel"
 * export const provider = ZITADEL({ issuer: "https://acme.zitadel.cloud" })
 * ```
 * @see https://zitadel.com/docs/guides/integrate/login/oidc/oauth-recommended-flows
 */
const ZITADEL: ProviderFactory<ZITADELProfile> = defineProvider<ZITADELProfile>({
  id: "zitadel",
  name: "ZITADEL",
  type: "oidc",
})

export default ZITADEL
