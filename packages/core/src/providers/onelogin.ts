import { publishedIssuer, urlBelow } from "../provider-kit/issuer-url.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of OneLogin. */
export interface OneLoginProfile extends OpenIdClaims {}

/**
 * Sign-in with OneLogin, by OpenID Connect.
 *
 * Set-up: register an application at OneLogin with the callback URL `https://<your site>/auth/callback/onelogin`
 * (`/api/auth/…` under Next.js), and set `AUTH_ONELOGIN_ID`, `AUTH_ONELOGIN_SECRET` and `AUTH_ONELOGIN_ISSUER`.
 * The issuer is the OneLogin subdomain URL, such as `https://<subdomain>.onelogin.com`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * @example
 * ```ts
 * import OneLogin from "@latchkey/core/providers/onelogin"
 * export const provider = OneLogin({ issuer: "https://acme.onelogin.com" })
 * ```
 * @see https://developers.onelogin.com/openid-connect
 */
const OneLogin: ProviderFactory<OneLoginProfile> = defineProvider<OneLoginProfile>(({ issuer }) => ({
  id: "onelogin",
  name: "OneLogin",
  type: "oidc",
  wellKnown: urlBelow(issuer?.replace(/\/oidc\/2\/?$/, ""), "/oidc/2/.well-known/openid-configuration"),
  // The metadata names a longer issuer than the address that is usually given.
  issuerFor: publishedIssuer,
}))

export default OneLogin
