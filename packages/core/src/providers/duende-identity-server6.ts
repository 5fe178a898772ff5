import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of DuendeIdentityServer6. */
export interface DuendeIdentityServer6Profile extends OpenIdClaims {}

/**
 * Sign-in with DuendeIdentityServer6, by OpenID Connect.
 *
 * Set-up: register an application at DuendeIdentityServer6 with the callback URL `https://<your
 * site>/auth/callback/duende-identity-server6` (`/api/auth/…` under Next.js), and set
 * `AUTH_DUENDE_IDENTITY_SERVER6_ID`, `AUTH_DUENDE_IDENTITY_SERVER6_SECRET` and
 * `AUTH_DUENDE_IDENTITY_SERVER6_ISSUER`.
 * The issuer is the base URL of the IdentityServer, such as `https://demo.duendesoftware.com`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * @example
 * ```ts
 * import DuendeIdentityServer6 from "@latchkey/core/providers/duende-identity-server6"
 * export const provider = DuendeIdentityServer6({ issuer: "https://demo.duendesoftware.com" })
 * ```
 * @see https://docs.duendesoftware.com/identityserver/
 */
const DuendeIdentityServer6: ProviderFactory<DuendeIdentityServer6Profile> =
  defineProvider<DuendeIdentityServer6Profile>({
    id: "duende-identity-server6",
    name: "DuendeIdentityServer6",
    type: "oidc",
  })

export default DuendeIdentityServer6
