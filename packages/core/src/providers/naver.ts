import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/naver.js"

/** The profile that Naver returns. */
export interface NaverProfile extends ServiceProfile {
  readonly resultcode: string
  readonly message: string
  readonly response: {
    readonly id: string
    readonly nickname: string
    readonly name: string
    readonly email: string
    readonly profile_image: string
  }
}

/**
 * Sign in with Naver, using OAuth 2.0.
 *
 * 1. Register an application at https://developers.naver.com/apps with the callback URL
 *    `https://<your site>/auth/callback/naver` (`/api/auth/callback/naver` with Next.js).
 * 2. Set `AUTH_NAVER_ID` and `AUTH_NAVER_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Naver from "@latchkey/core/providers/naver"
 * export const provider = Naver()
 * ```
 * @see https://developers.naver.com/docs/login/api/api.md
 */
const Naver: ProviderFactory<NaverProfile, object, "naver"> = defineProvider({
  id: "naver",
  name: "Naver",
  type: "oauth",
  style: { icon },
  authorization: "https://nid.naver.com/oauth2.0/authorize?scope=openid%20profile%20email",
  token: "https://nid.naver.com/oauth2.0/token",
  userinfo: "https://openapi.naver.com/v1/nid/me",
  profile: ({ response }) => ({
    id: response.id,
    name: response.nickname,
    email: response.email,
    image: response.profile_image,
  }),
})

export default Naver
