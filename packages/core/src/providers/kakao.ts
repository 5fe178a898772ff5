import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Kakao. */
export interface KakaoProfile extends RawProfile {
  readonly id: number
  readonly kakao_account?: {
    readonly profile?: { readonly nickname: string; readonly profile_image_url: string } | null
    readonly email: string
    readonly is_email_verified: boolean
  } | null
}

/**
 * Sign-in with Kakao, by OAuth 2.
 *
 * Set-up: register an application at Kakao with the callback URL `https://<your site>/auth/callback/kakao`
 * (`/api/auth/…` under Next.js), and set `AUTH_KAKAO_ID` and `AUTH_KAKAO_SECRET`.
 * The scope is left to what the application was registered with. The profile gives the name, the e-mail address and
 * a picture.
 *
 * - Name, e-mail and picture appear only when the user consented to each.
 *
 * @example
 * ```ts
 * import Kakao from "@latchkey/core/providers/kakao"
 * export const provider = Kakao()
 * ```
 * @see https://developers.kakao.com/docs/latest/en/kakaologin/rest-api
 */
const Kakao: ProviderFactory<KakaoProfile> = defineProvider<KakaoProfile>({
  id: "kakao",
  name: "Kakao",
  type: "oauth",
  authorization: { url: "https://kauth.kakao.com/oauth/authorize", params: { scope: "" } },
  token: "https://kauth.kakao.com/oauth/token",
  userinfo: "https://kapi.kakao.com/v2/user/me",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, kakao_account }) => ({
    id: String(id),
    name: kakao_account?.profile?.nickname,
    email: kakao_account?.email,
    image: kakao_account?.profile?.profile_image_url,
  }),
})

export default Kakao
