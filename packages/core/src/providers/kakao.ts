import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/kakao.js"

/** The profile that Kakao returns. */
export interface KakaoProfile extends ServiceProfile {
  readonly id: number
  readonly kakao_account?: {
    readonly profile?: { readonly nickname: string; readonly profile_image_url: string } | null
    readonly email: string
    readonly is_email_verified: boolean
  } | null
}

/**
 * Sign in with Kakao, using OAuth 2.0.
 *
 * 1. Register an application at https://developers.kakao.com/console/app with the callback URL
 *    `https://<your site>/auth/callback/kakao` (`/api/auth/callback/kakao` with Next.js).
 * 2. Set `AUTH_KAKAO_ID` and `AUTH_KAKAO_SECRET`.
 *
 * The settings of your application decide the scope. The user gets a name, an email and an image.
 *
 * - Each of the three is missing if the user didn't agree to share it.
 *
 * @example
 * ```ts
 * import Kakao from "@latchkey/core/providers/kakao"
 * export const provider = Kakao()
 * ```
 * @see https://developers.kakao.com/docs/latest/en/kakaologin/rest-api
 */
const Kakao: ProviderFactory<KakaoProfile, object, "kakao"> = defineProvider({
  id: "kakao",
  name: "Kakao",
  type: "oauth",
  style: { icon },
  authorization: "https://kauth.kakao.com/oauth/authorize?scope",
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

/** ISO 8601. */
export type DateTime = string
export type Gender = "female" | "male"
/** Whether a birthday is a date of the solar or the lunar calendar. */
export type Birthday = "SOLAR" | "LUNAR"
export type AgeRange =
  | "1-9"
  | "10-14"
  | "15-19"
  | "20-29"
  | "30-39"
  | "40-49"
  | "50-59"
  | "60-69"
  | "70-79"
  | "80-89"
  | "90-"
