import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/yandex.js"

/** The profile that Yandex returns. */
export interface YandexProfile extends ServiceProfile {
  readonly id: string
  readonly login: string
  readonly display_name?: string
  readonly real_name?: string
  readonly first_name: string
  readonly default_email?: string
  readonly emails?: readonly string[] | null
  readonly is_avatar_empty?: boolean
  readonly default_avatar_id?: string
}

/**
 * Sign in with Yandex, using OAuth 2.0.
 *
 * 1. Register an application at https://oauth.yandex.com with the callback URL
 *    `https://<your site>/auth/callback/yandex` (`/api/auth/callback/yandex` with Next.js).
 * 2. Set `AUTH_YANDEX_ID` and `AUTH_YANDEX_SECRET`.
 *
 * Scope: `login:info login:email login:avatar`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Yandex from "@latchkey/core/providers/yandex"
 * export const provider = Yandex()
 * ```
 * @see https://yandex.com/dev/id/doc/en/
 */
const Yandex: ProviderFactory<YandexProfile, object, "yandex"> = defineProvider({
  id: "yandex",
  name: "Yandex",
  type: "oauth",
  authorization: "https://oauth.yandex.ru/authorize?scope=login:info+login:email+login:avatar",
  token: "https://oauth.yandex.ru/token",
  userinfo: "https://login.yandex.ru/info?format=json",
  profile: ({
    id,
    display_name,
    real_name,
    first_name,
    default_email,
    emails,
    is_avatar_empty,
    default_avatar_id,
  }) => ({
    id,
    name: display_name ?? real_name ?? first_name,
    email: default_email ?? emails?.[0] ?? null,
    image:
      !is_avatar_empty && default_avatar_id
        ? `https://avatars.yandex.net/get-yapic/${default_avatar_id}/islands-200`
        : null,
  }),
  style: { brandColor: "#ffcc00", icon },
})

export default Yandex
