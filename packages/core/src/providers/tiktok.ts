import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to TikTok. */
export interface TikTokProfile extends RawProfile {
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
 * Sign-in with TikTok, by OAuth 2.
 *
 * Set-up: register an application at TikTok with the callback URL `https://<your site>/auth/callback/tiktok`
 * (`/api/auth/…` under Next.js), and set `AUTH_TIKTOK_ID` and `AUTH_TIKTOK_SECRET`.
 * Scope: `user.info.basic`. The profile gives the name and a picture, but no e-mail address.
 *
 * - TikTok calls the client id a client key.
 * - localhost is not accepted as a callback URL.
 * - Several scopes are separated by commas.
 *
 * @example
 * ```ts
 * import TikTok from "@latchkey/core/providers/tiktok"
 * export const provider = TikTok()
 * ```
 * @see https://developers.tiktok.com/doc/login-kit-web/
 */
const TikTok: ProviderFactory<TikTokProfile> = defineProvider<TikTokProfile>(({ clientId }) => ({
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
  style: { brandColor: "#000" },
}))

export default TikTok
