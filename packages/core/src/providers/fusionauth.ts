import type { ServiceProfile } from "../model/provider.js"
import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/fusionauth.js"
import { urlBelow } from "../provider-kit/options.js"

/** The claims in an ID token from FusionAuth. */
export interface FusionAuthProfile extends ServiceProfile {
  readonly sub: string
  readonly email: string
  readonly given_name: string
  readonly family_name: string
  readonly picture: string
  readonly name?: string
  readonly preferred_username?: string
  readonly middle_name?: string
}

export interface FusionAuthOptions {
  /** The id of the tenant, if several share one server. */
  readonly tenantId?: string
}

/**
 * Sign in with FusionAuth, using OpenID Connect.
 *
 * 1. Create an application in your FusionAuth server with the authorized redirect URL
 *    `https://<your site>/auth/callback/fusionauth` (`/api/auth/callback/fusionauth` with Next.js).
 * 2. Set `AUTH_FUSIONAUTH_ID` and `AUTH_FUSIONAUTH_SECRET`.
 * 3. Set `AUTH_FUSIONAUTH_ISSUER` to the URL of your server, for example `https://auth.example.com`.
 *
 * Scope: `openid offline_access email profile`. The user gets a name, an email and an image.
 *
 * - Set the issuer of the tenant in FusionAuth to the same URL. A new installation has `acme.com` there.
 *
 * @example
 * ```ts
 * import FusionAuth from "@latchkey/core/providers/fusionauth"
 * export const provider = FusionAuth({ issuer: "https://auth.example.com" })
 * ```
 * @see https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/
 */
const FusionAuth: ProviderFactory<FusionAuthProfile, FusionAuthOptions, "fusionauth"> = defineProvider(
  ({ issuer, tenantId }) => ({
    id: "fusionauth",
    name: "FusionAuth",
    type: "oidc",
    style: { icon },
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
  }),
)

export default FusionAuth
