import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/yahoo.js"

/** The profile that Yahoo returns. */
export interface YahooProfile extends ServiceProfile {
  readonly sub: string
  readonly name?: string | null
  readonly email: string
  readonly email_verified: boolean
  readonly picture?: string | null
  readonly given_name?: string | null
  readonly family_name?: string | null
  readonly profile_images?: { readonly image192?: string | null } | null
}

/**
 * Sign in with Yahoo, using OpenID Connect.
 *
 * 1. Register an application at https://developer.yahoo.com/apps/ with the callback URL
 *    `https://<your site>/auth/callback/yahoo` (`/api/auth/callback/yahoo` with Next.js).
 * 2. Set `AUTH_YAHOO_ID` and `AUTH_YAHOO_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Yahoo from "@latchkey/core/providers/yahoo"
 * export const provider = Yahoo()
 * ```
 * @see https://developer.yahoo.com/sign-in-with-yahoo/
 */
const Yahoo: ProviderFactory<YahooProfile, object, "yahoo"> = defineProvider({
  id: "yahoo",
  name: "Yahoo",
  type: "oidc",
  issuer: "https://api.login.yahoo.com",
  authorization: { params: { scope: "openid profile email" } },
  checks: ["state", "nonce"],
  client: { token_endpoint_auth_method: "client_secret_basic" },
  idToken: false,
  profile: ({ sub, name, given_name, family_name, email, picture, profile_images }) => ({
    id: sub,
    name: name ?? [given_name, family_name].filter(Boolean).join(" "),
    email,
    image: picture ?? profile_images?.image192 ?? null,
  }),
  style: { brandColor: "#5f01d1", icon },
})

export default Yahoo
