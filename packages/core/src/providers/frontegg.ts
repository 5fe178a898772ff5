import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { urlBelow } from "../provider-kit/options.js"

/** The claims in an ID token from Frontegg. */
export interface FronteggProfile extends OpenIdClaims {}

/**
 * Sign in with Frontegg, using OpenID Connect.
 *
 * 1. Register an application at https://portal.frontegg.com with the callback URL
 *    `https://<your site>/auth/callback/frontegg` (`/api/auth/callback/frontegg` with Next.js).
 * 2. Set `AUTH_FRONTEGG_ID` and `AUTH_FRONTEGG_SECRET`.
 * 3. Set `AUTH_FRONTEGG_ISSUER` to your Frontegg domain, for example `https://<subdomain>.frontegg.com`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Frontegg from "@latchkey/core/providers/frontegg"
 * export const provider = Frontegg({ issuer: "https://acme.frontegg.com" })
 * ```
 * @see https://developers.frontegg.com/guides/getting-started/home
 */
const Frontegg: ProviderFactory<FronteggProfile, object, "frontegg"> = defineProvider(({ issuer }) => ({
  id: "frontegg",
  name: "Frontegg",
  type: "oidc",
  wellKnown: urlBelow(issuer, "/oauth/.well-known/openid-configuration"),
  authorization: urlBelow(issuer, "/oauth/authorize"),
  token: urlBelow(issuer, "/oauth/token"),
  userinfo: urlBelow(issuer, "/identity/resources/users/v2/me"),
}))

export default Frontegg
