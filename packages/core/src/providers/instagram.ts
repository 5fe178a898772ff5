import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/instagram.js"

/** The profile that Instagram returns. */
export interface InstagramProfile extends ServiceProfile {
  readonly id: string
  readonly username: string
  readonly account_type: string
}

/**
 * Sign in with Instagram, using OAuth 2.0.
 *
 * 1. Register an application at https://developers.facebook.com/apps with the callback URL
 *    `https://<your site>/auth/callback/instagram` (`/api/auth/callback/instagram` with Next.js).
 * 2. Set `AUTH_INSTAGRAM_ID` and `AUTH_INSTAGRAM_SECRET`.
 *
 * Scope: `user_profile`. The user gets a name, but no email and no image.
 *
 * @deprecated Meta shut down the Instagram Basic Display API on December 4, 2024. The successor supports business and
 *   creator accounts only.
 * @example
 * ```ts
 * import Instagram from "@latchkey/core/providers/instagram"
 * export const provider = Instagram()
 * ```
 * @see https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login
 */
const Instagram: ProviderFactory<InstagramProfile, object, "instagram"> = defineProvider({
  id: "instagram",
  name: "Instagram",
  type: "oauth",
  deprecated: "Meta shut down the Instagram Basic Display API in December 2024. Remove this provider.",
  authorization: "https://api.instagram.com/oauth/authorize?scope=user_profile",
  token: "https://api.instagram.com/oauth/access_token",
  userinfo: "https://graph.instagram.com/me?fields=id,username,account_type,name",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, username }) => ({ id, name: username, email: null, image: null }),
  style: { brandColor: "#000", icon },
})

export default Instagram
