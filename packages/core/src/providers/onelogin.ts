import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { publishedIssuer, urlBelow } from "../provider-kit/options.js"

/** The claims in an ID token from OneLogin. */
export interface OneLoginProfile extends OpenIdClaims {}

/**
 * Sign in with OneLogin, using OpenID Connect.
 *
 * 1. Add an OpenID Connect application in the OneLogin administration with the redirect URI
 *    `https://<your site>/auth/callback/onelogin` (`/api/auth/callback/onelogin` with Next.js).
 * 2. Set `AUTH_ONELOGIN_ID` and `AUTH_ONELOGIN_SECRET`.
 * 3. Set `AUTH_ONELOGIN_ISSUER` to your OneLogin domain, for example `https://<subdomain>.onelogin.com`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import OneLogin from "@latchkey/core/providers/onelogin"
 * export const provider = OneLogin({ issuer: "https://acme.onelogin.com" })
 * ```
 * @see https://developers.onelogin.com/openid-connect
 */
const OneLogin: ProviderFactory<OneLoginProfile, object, "onelogin"> = defineProvider(({ issuer }) => ({
  id: "onelogin",
  name: "OneLogin",
  type: "oidc",
  wellKnown: urlBelow(issuer?.replace(/\/oidc\/2\/?$/, ""), "/oidc/2/.well-known/openid-configuration"),
  // The discovery document names a longer issuer than the configured one.
  issuerFor: publishedIssuer,
}))

export default OneLogin
