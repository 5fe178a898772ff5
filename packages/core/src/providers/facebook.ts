import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Facebook. */
export interface FacebookProfile extends RawProfile {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly picture: {
    readonly data: {
      readonly url: string
      readonly height?: number
      readonly width?: number
      readonly is_silhouette?: boolean
    }
  }
}

/**
 * Sign-in with Facebook, by OAuth 2.
 *
 * Set-up: register an application at Facebook with the callback URL `https://<your site>/auth/callback/facebook`
 * (`/api/auth/…` under Next.js), and set `AUTH_FACEBOOK_ID` and `AUTH_FACEBOOK_SECRET`.
 * Scope: `email`. The profile gives the name, the e-mail address and a picture.
 *
 * - Which fields are asked for stands in the userinfo address. An account with only a phone number has no e-mail
 *   address.
 * - The version of the API is part of the authorization address and is supported for about two years.
 *
 * @example
 * ```ts
 * import Facebook from "@latchkey/core/providers/facebook"
 * export const provider = Facebook()
 * ```
 * @see https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 */
const Facebook: ProviderFactory<FacebookProfile> = defineProvider<FacebookProfile>({
  id: "facebook",
  name: "Facebook",
  type: "oauth",
  authorization: { url: "https://www.facebook.com/v19.0/dialog/oauth", params: { scope: "email" } },
  token: "https://graph.facebook.com/oauth/access_token",
  userinfo: "https://graph.facebook.com/me?fields=id,name,email,picture",
  profile: ({ id, name, email, picture }) => ({ id, name, email, image: picture.data.url }),
  style: { brandColor: "#006aff" },
})

export default Facebook
