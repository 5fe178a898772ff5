import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The claims in an ID token from Beyond Identity. */
export interface BeyondIdentityProfile extends ServiceProfile {
  readonly sub: string
  readonly email: string
  readonly name: string
  readonly preferred_username: string
}

/**
 * Sign in with Beyond Identity, using OpenID Connect.
 *
 * 1. Create an application in the admin console with the callback URL
 *    `https://<your site>/auth/callback/beyondidentity` (`/api/auth/callback/beyondidentity` with Next.js).
 * 2. Set `AUTH_BEYONDIDENTITY_ID` and `AUTH_BEYONDIDENTITY_SECRET`.
 * 3. Set `AUTH_BEYONDIDENTITY_ISSUER` to the issuer that the console shows, for example
 *    `https://auth-<region>.beyondidentity.com/v1/tenants/<tenant>/realms/<realm>/applications/<app>`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and `preferred_username`, but no image.
 *
 * @example
 * ```ts
 * import BeyondIdentity from "@latchkey/core/providers/beyondidentity"
 * export const provider = BeyondIdentity({ issuer: "https://auth-eu.beyondidentity.com/v1/tenants/acme/realms/acme/applications/app" })
 * ```
 * @see https://developer.beyondidentity.com/
 */
const BeyondIdentity: ProviderFactory<BeyondIdentityProfile, object, "beyondidentity"> = defineProvider({
  id: "beyondidentity",
  name: "Beyond Identity",
  type: "oidc",
  profile: ({ sub, email, name, preferred_username }) => ({
    id: sub,
    email,
    name,
    image: null,
    preferred_username,
  }),
  style: { brandColor: "#5077c5" },
})

export default BeyondIdentity
