import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** The claims in an ID token from IdentityServer4. */
export interface IdentityServer4Profile extends OpenIdClaims {}

/**
 * Sign in with IdentityServer4, using OpenID Connect.
 *
 * 1. Add a client to your IdentityServer4 with the redirect URI `https://<your site>/auth/callback/identity-server4`
 *    (`/api/auth/callback/identity-server4` with Next.js).
 * 2. Set `AUTH_IDENTITY_SERVER4_ID` and `AUTH_IDENTITY_SERVER4_SECRET`.
 * 3. Set `AUTH_IDENTITY_SERVER4_ISSUER` to the URL of your server, for example `https://demo.identityserver.io`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @deprecated IdentityServer4 hasn't been maintained since 2022. Existing servers keep working. Its successor is Duende
 *   IdentityServer, with the provider `duende-identity-server6`.
 * @example
 * ```ts
 * import IdentityServer4 from "@latchkey/core/providers/identity-server4"
 * export const provider = IdentityServer4({ issuer: "https://demo.identityserver.io" })
 * ```
 * @see https://identityserver4.readthedocs.io/en/latest/
 */
const IdentityServer4: ProviderFactory<IdentityServer4Profile, object, "identity-server4"> = defineProvider({
  id: "identity-server4",
  name: "IdentityServer4",
  type: "oidc",
  tokens: { scope: "offline_access" },
  deprecated:
    "IdentityServer4 hasn't been maintained since 2022. Move to Duende IdentityServer and the provider duende-identity-server6.",
})

export default IdentityServer4
