import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/authentik.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { publishedIssuer } from "../provider-kit/options.js"

/** The claims in an ID token from Authentik. */
export interface AuthentikProfile extends OpenIdClaims {}

/**
 * Sign in with Authentik, using OpenID Connect.
 *
 * 1. Create an application with an OAuth2/OpenID provider in authentik, with the redirect URI
 *    `https://<your site>/auth/callback/authentik` (`/api/auth/callback/authentik` with Next.js).
 * 2. Set `AUTH_AUTHENTIK_ID` and `AUTH_AUTHENTIK_SECRET`.
 * 3. Set `AUTH_AUTHENTIK_ISSUER` to the URL of that application, for example
 *    `https://authentik.example.com/application/o/<slug>`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Authentik from "@latchkey/core/providers/authentik"
 * export const provider = Authentik({ issuer: "https://authentik.example.com/application/o/acme" })
 * ```
 * @see https://docs.goauthentik.io/docs/add-secure-apps/providers/oauth2/
 */
const Authentik: ProviderFactory<AuthentikProfile, object, "authentik"> = defineProvider({
  id: "authentik",
  name: "Authentik",
  type: "oidc",
  tokens: { scope: "offline_access" },
  style: { icon },
  // The discovery document names the issuer with a trailing slash, which is easy to leave out.
  issuerFor: publishedIssuer,
})

export default Authentik
