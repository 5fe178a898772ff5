import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of IdentityServer4. */
export interface IdentityServer4Profile extends OpenIdClaims {}

/**
 * Sign-in with IdentityServer4, by OpenID Connect.
 *
 * Set-up: register an application at IdentityServer4 with the callback URL `https://<your
 * site>/auth/callback/identity-server4` (`/api/auth/…` under Next.js), and set `AUTH_IDENTITY_SERVER4_ID`,
 * `AUTH_IDENTITY_SERVER4_SECRET` and `AUTH_IDENTITY_SERVER4_ISSUER`.
 * The issuer is the base URL of the IdentityServer, such as `https://demo.identityserver.io`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * @deprecated IdentityServer4 is no longer maintained since 2022; Duende IdentityServer took its place. Servers that
 *   still run can be signed in with.
 * @example
 * ```ts
 * import IdentityServer4 from "@latchkey/core/providers/identity-server4"
 * export const provider = IdentityServer4({ issuer: "https://demo.identityserver.io" })
 * ```
 * @see https://identityserver4.readthedocs.io/en/latest/
 */
const IdentityServer4: ProviderFactory<IdentityServer4Profile> = defineProvider<IdentityServer4Profile>({
  id: "identity-server4",
  name: "IdentityServer4",
  type: "oidc",
  deprecated: "IdentityServer4 is no longer maintained: use the provider duende-identity-server6",
})

export default IdentityServer4
