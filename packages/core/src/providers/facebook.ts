import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/facebook.js"

/** The profile that Facebook returns. */
export interface FacebookProfile extends ServiceProfile {
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
 * Sign in with Facebook, using OAuth 2.0.
 *
 * 1. Register an application at https://developers.facebook.com/apps with the callback URL
 *    `https://<your site>/auth/callback/facebook` (`/api/auth/callback/facebook` with Next.js).
 * 2. Set `AUTH_FACEBOOK_ID` and `AUTH_FACEBOOK_SECRET`.
 *
 * Scope: `email`. The user gets a name, an email and an image.
 *
 * - An account with only a phone number has no email.
 * - To read more fields, set `userinfo` to a URL with a longer `fields` parameter.
 * - Meta supports a version of the API for about two years. To use another one, set `authorization`.
 *
 * @example
 * ```ts
 * import Facebook from "@latchkey/core/providers/facebook"
 * export const provider = Facebook()
 * ```
 * @see https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 */
const Facebook: ProviderFactory<FacebookProfile, object, "facebook"> = defineProvider({
  id: "facebook",
  name: "Facebook",
  type: "oauth",
  authorization: { url: "https://www.facebook.com/v19.0/dialog/oauth", params: { scope: "email" } },
  token: "https://graph.facebook.com/oauth/access_token",
  userinfo: "https://graph.facebook.com/me?fields=id,name,email,picture",
  profile: ({ id, name, email, picture }) => ({ id, name, email, image: picture.data.url }),
  style: { brandColor: "#006aff", icon },
})

export default Facebook
