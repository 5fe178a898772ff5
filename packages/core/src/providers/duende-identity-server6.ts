import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"

/** The claims in an ID token from DuendeIdentityServer6. */
export interface DuendeIdentityServer6Profile extends OpenIdClaims {}

/**
 * Sign in with DuendeIdentityServer6, using OpenID Connect.
 *
 * 1. Add a client to your Duende IdentityServer with the redirect URI
 *    `https://<your site>/auth/callback/duende-identity-server6` (`/api/auth/callback/duende-identity-server6` with
 *    Next.js).
 * 2. Set `AUTH_DUENDE_IDENTITY_SERVER6_ID` and `AUTH_DUENDE_IDENTITY_SERVER6_SECRET`.
 * 3. Set `AUTH_DUENDE_IDENTITY_SERVER6_ISSUER` to the URL of your server, for example
 *    `https://demo.duendesoftware.com`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import DuendeIdentityServer6 from "@latchkey/core/providers/duende-identity-server6"
 * export const provider = DuendeIdentityServer6({ issuer: "https://demo.duendesoftware.com" })
 * ```
 * @see https://docs.duendesoftware.com/identityserver/
 */
const DuendeIdentityServer6: ProviderFactory<DuendeIdentityServer6Profile, object, "duende-identity-server6"> =
  defineProvider({
    id: "duende-identity-server6",
    name: "DuendeIdentityServer6",
    type: "oidc",
    tokens: { scope: "offline_access" },
  })

export default DuendeIdentityServer6

export type DuendeISUser = DuendeIdentityServer6Profile & Record<"id" | "name" | "email", string>
