import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Yahoo. */
export interface YahooProfile extends RawProfile {
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
 * Sign-in with Yahoo, by OpenID Connect.
 *
 * Set-up: register an application at Yahoo with the callback URL `https://<your site>/auth/callback/yahoo`
 * (`/api/auth/…` under Next.js), and set `AUTH_YAHOO_ID` and `AUTH_YAHOO_SECRET`.
 * Scope: `openid profile email`. The profile gives the name, the e-mail address and a picture.
 *
 * - A nonce is expected on OpenID requests.
 *
 * @example
 * ```ts
 * import Yahoo from "@latchkey/core/providers/yahoo"
 * export const provider = Yahoo()
 * ```
 * @see https://developer.yahoo.com/sign-in-with-yahoo/
 */
const Yahoo: ProviderFactory<YahooProfile> = defineProvider<YahooProfile>({
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
  style: { brandColor: "#5f01d1" },
})

export default Yahoo
