import type { RawProfile } from "../model/provider.js"
import { urlBelow } from "../provider-kit/issuer-url.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** Claims of an ID token of FusionAuth. */
export interface FusionAuthProfile extends RawProfile {
  readonly sub: string
  readonly email: string
  readonly given_name: string
  readonly family_name: string
  readonly picture: string
  readonly name?: string | null
  readonly preferred_username?: string | null
  readonly middle_name?: string | null
}

export interface FusionAuthOptions {
  /** Needed where one server has several tenants. */
  readonly tenantId?: string
}

/**
 * Sign-in with FusionAuth, by OpenID Connect.
 *
 * Set-up: register an application at FusionAuth with the callback URL `https://<your site>/auth/callback/fusionauth`
 * (`/api/auth/…` under Next.js), and set `AUTH_FUSIONAUTH_ID`, `AUTH_FUSIONAUTH_SECRET` and
 * `AUTH_FUSIONAUTH_ISSUER`.
 * The issuer is the issuer configured on the tenant; must equal the server's base URL, such as
 * `https://auth.example.com`.
 * Scope: `openid offline_access email profile`. The profile gives the name, the e-mail address and a picture.
 *
 * - The issuer field of the tenant must hold the address of the server; as installed it says acme.com.
 *
 * @example
 * ```ts
 * import FusionAuth from "@latchkey/core/providers/fusionauth"
 * export const provider = FusionAuth({ issuer: "https://auth.example.com" })
 * ```
 * @see https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/
 */
const FusionAuth: ProviderFactory<FusionAuthProfile, FusionAuthOptions> = defineProvider<
  FusionAuthProfile,
  FusionAuthOptions
>(({ issuer, tenantId }) => ({
  id: "fusionauth",
  name: "FusionAuth",
  type: "oidc",
  wellKnown: urlBelow(
    issuer,
    `/.well-known/openid-configuration${tenantId === undefined ? "" : `?tenantId=${encodeURIComponent(tenantId)}`}`,
  ),
  authorization: { params: { scope: "openid offline_access email profile", tenantId } },
  token: urlBelow(issuer, "/oauth2/token"),
  userinfo: urlBelow(issuer, "/oauth2/userinfo"),
  checks: ["pkce", "state"],
  profile: ({ sub, email, name, preferred_username, given_name, middle_name, family_name, picture }) => ({
    id: sub,
    email,
    name: name ?? preferred_username ?? [given_name, middle_name, family_name].filter(Boolean).join(" "),
    image: picture,
  }),
}))

export default FusionAuth
