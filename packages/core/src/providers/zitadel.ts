import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** The claims in an ID token from ZITADEL. */
export interface ZITADELProfile extends OpenIdClaims {}

/**
 * Sign in with ZITADEL, using OpenID Connect.
 *
 * 1. Create a web application in your ZITADEL project with the redirect URI `https://<your site>/auth/callback/zitadel`
 *    (`/api/auth/callback/zitadel` with Next.js).
 * 2. Set `AUTH_ZITADEL_ID` and `AUTH_ZITADEL_SECRET`.
 * 3. Set `AUTH_ZITADEL_ISSUER` to the domain of your instance, for example `https://<instance>.zitadel.cloud`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - ZITADEL issues an ID token to all applications of a project, so keep applications that you don't trust in another one.
 * - If name and image are missing, turn on "User Info inside ID Token" in the settings of the application.
 *
 * @example
 * ```ts
 * import ZITADEL from "@latchkey/core/providers/zitadel"
 * export const provider = ZITADEL({ issuer: "https://acme.zitadel.cloud" })
 * ```
 * @see https://zitadel.com/docs/guides/integrate/login/oidc/oauth-recommended-flows
 */
const ZITADEL: ProviderFactory<ZITADELProfile, object, "zitadel"> = defineProvider({
  id: "zitadel",
  name: "ZITADEL",
  type: "oidc",
  tokens: { scope: "offline_access" },
  // An ID token is for every application of the project, and for the project: `69234237810729019`, or `69234@project`.
  trustedAudiences: (audience) => /^\d+(?:@[\w.-]+)?$/.test(audience),
})

export default ZITADEL

export type ZitadelProfile = ZITADELProfile
