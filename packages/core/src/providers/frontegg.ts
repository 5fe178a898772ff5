import { urlBelow } from "../provider-kit/issuer-url.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Frontegg. */
export interface FronteggProfile extends OpenIdClaims {}

/**
 * Sign-in with Frontegg, by OpenID Connect.
 *
 * Set-up: register an application at Frontegg with the callback URL `https://<your site>/auth/callback/frontegg`
 * (`/api/auth/…` under Next.js), and set `AUTH_FRONTEGG_ID`, `AUTH_FRONTEGG_SECRET` and `AUTH_FRONTEGG_ISSUER`.
 * The issuer is the Frontegg domain, such as `https://<subdomain>.frontegg.com`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - All endpoints are explicit, so no discovery happens and no JWKS is known; the profile still comes from the ID
 *   token.
 * - Discovery lives under /oauth.
 *
 * @example
 * ```ts
 * import Frontegg from "@latchkey/core/providers/frontegg"
 * export const provider = Frontegg({ issuer: "https://acme.frontegg.com" })
 * ```
 * @see https://developers.frontegg.com/guides/getting-started/home
 */
const Frontegg: ProviderFactory<FronteggProfile> = defineProvider<FronteggProfile>(({ issuer }) => ({
  id: "frontegg",
  name: "Frontegg",
  type: "oidc",
  wellKnown: urlBelow(issuer, "/oauth/.well-known/openid-configuration"),
  authorization: urlBelow(issuer, "/oauth/authorize"),
  token: urlBelow(issuer, "/oauth/token"),
  userinfo: urlBelow(issuer, "/identity/resources/users/v2/me"),
}))

export default Frontegg
