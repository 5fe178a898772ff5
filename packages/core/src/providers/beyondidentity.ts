import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** Claims of an ID token of Beyond Identity. */
export interface BeyondIdentityProfile extends RawProfile {
  readonly sub: string
  readonly email: string
  readonly name: string
  readonly preferred_username: string
}

/**
 * Sign-in with Beyond Identity, by OpenID Connect.
 *
 * Set-up: register an application at Beyond Identity with the callback URL `https://<your
 * site>/auth/callback/beyondidentity` (`/api/auth/…` under Next.js), and set `AUTH_BEYONDIDENTITY_ID`,
 * `AUTH_BEYONDIDENTITY_SECRET` and `AUTH_BEYONDIDENTITY_ISSUER`.
 * The issuer is the issuer shown in the admin console, such as
 * `https://auth-<region>.beyondidentity.com/v1/tenants/<tenant>/realms/<realm>/applications/<app>`.
 * Scope: `openid profile email`. The profile gives the name and the e-mail address, but no picture.
 *
 * - The user gets an extra preferred_username field.
 *
 * @example
 * ```ts
 * import BeyondIdentity from "@latchkey/core/providers/beyondidentity"
 * export const provider = BeyondIdentity({ issuer: "https://auth-eu.beyondidentity.com/v1/tenants/acme/realms/acme/applications/app" })
 * ```
 * @see https://developer.beyondidentity.com/
 */
const BeyondIdentity: ProviderFactory<BeyondIdentityProfile> = defineProvider<BeyondIdentityProfile>({
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
