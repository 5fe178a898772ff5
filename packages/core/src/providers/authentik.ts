import { publishedIssuer } from "../provider-kit/issuer-url.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Authentik. */
export interface AuthentikProfile extends OpenIdClaims {}

/**
 * Sign-in with Authentik, by OpenID Connect.
 *
 * Set-up: register an application at Authentik with the callback URL `https://<your site>/auth/callback/authentik`
 * (`/api/auth/…` under Next.js), and set `AUTH_AUTHENTIK_ID`, `AUTH_AUTHENTIK_SECRET` and `AUTH_AUTHENTIK_ISSUER`.
 * The issuer is the URL of the authentik application, slug included, such as
 * `https://authentik.example.com/application/o/<slug>`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * @example
 * ```ts
 * import Authentik from "@latchkey/core/providers/authentik"
 * export const provider = Authentik({ issuer: "https://authentik.example.com/application/o/acme" })
 * ```
 * @see https://docs.goauthentik.io/docs/add-secure-apps/providers/oauth2/
 */
const Authentik: ProviderFactory<AuthentikProfile> = defineProvider<AuthentikProfile>({
  id: "authentik",
  name: "Authentik",
  type: "oidc",
  // The metadata names the issuer with a slash at its end, which is often left out.
  issuerFor: publishedIssuer,
})

export default Authentik
