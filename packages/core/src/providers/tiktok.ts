import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/tiktok.js"

/** The profile that TikTok returns. */
export interface TikTokProfile extends ServiceProfile {
  readonly data: {
    readonly user: {
      readonly open_id: string
      readonly display_name: string
      readonly avatar_url: string
    }
  }
  readonly error: {
    readonly code: string
    readonly message: string
    readonly log_id: string
  }
}

/**
 * Sign in with TikTok, using OAuth 2.0.
 *
 * 1. Register an application at https://developers.tiktok.com/apps with the callback URL
 *    `https://<your site>/auth/callback/tiktok` (`/api/auth/callback/tiktok` with Next.js).
 * 2. Set `AUTH_TIKTOK_ID` and `AUTH_TIKTOK_SECRET`.
 *
 * Scope: `user.info.basic`. The user gets a name and an image, but no email.
 *
 * - TikTok calls the client id a client key.
 * - TikTok doesn't accept localhost in the callback URL.
 * - Separate scopes with commas.
 *
 * @example
 * ```ts
 * import TikTok from "@latchkey/core/providers/tiktok"
 * export const provider = TikTok()
 * ```
 * @see https://developers.tiktok.com/doc/login-kit-web/
 */
const TikTok: ProviderFactory<TikTokProfile, object, "tiktok"> = defineProvider(({ clientId }) => ({
  id: "tiktok",
  name: "TikTok",
  type: "oauth",
  authorization: {
    url: "https://www.tiktok.com/v2/auth/authorize",
    params: { client_key: clientId, scope: "user.info.basic" },
  },
  token: { url: "https://open.tiktokapis.com/v2/oauth/token/", body: () => ({ client_key: clientId }) },
  userinfo: "https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_url,display_name",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ data }) => ({
    id: data.user.open_id,
    name: data.user.display_name,
    image: data.user.avatar_url,
    email: null,
  }),
  style: { brandColor: "#000", icon },
}))

export default TikTok

export type TiktokProfile = TikTokProfile
