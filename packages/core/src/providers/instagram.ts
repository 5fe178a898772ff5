import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Instagram. */
export interface InstagramProfile extends RawProfile {
  readonly id: string
  readonly username: string
  readonly account_type: string
}

/**
 * Sign-in with Instagram, by OAuth 2.
 *
 * Set-up: register an application at Instagram with the callback URL `https://<your site>/auth/callback/instagram`
 * (`/api/auth/…` under Next.js), and set `AUTH_INSTAGRAM_ID` and `AUTH_INSTAGRAM_SECRET`.
 * Scope: `user_profile`. The profile gives the name, but no e-mail address and no picture.
 *
 * - Scopes are joined by commas.
 * - Codes may end in #_ that must be cut off.
 *
 * @deprecated The Basic Display API behind user_profile was shut down on 4 December 2024. The successor (Instagram
 *   API with Instagram Login, business and creator accounts only) uses https://www.instagram.com/oauth/authorize
 *   with scope instagram_business_basic.
 * @example
 * ```ts
 * import Instagram from "@latchkey/core/providers/instagram"
 * export const provider = Instagram()
 * ```
 * @see https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login
 */
const Instagram: ProviderFactory<InstagramProfile> = defineProvider<InstagramProfile>({
  id: "instagram",
  name: "Instagram",
  type: "oauth",
  deprecated: "The API behind this provider was shut down in December 2024",
  authorization: { url: "https://api.instagram.com/oauth/authorize", params: { scope: "user_profile" } },
  token: "https://api.instagram.com/oauth/access_token",
  userinfo: "https://graph.instagram.com/me?fields=id,username,account_type,name",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, username }) => ({ id, name: username, email: null, image: null }),
  style: { brandColor: "#000" },
})

export default Instagram
