import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/tumblr.js"

/** The profile that Tumblr returns. */
export interface TumblrProfile extends ServiceProfile {
  readonly meta: { readonly status: number; readonly msg: string }
  readonly response: {
    readonly user: {
      readonly name: string
      readonly blogs: readonly {
        readonly name: string
        readonly primary: boolean
        readonly uuid: string
        readonly avatar: readonly { readonly url: string }[]
      }[]
    }
  }
}

/**
 * Sign in with Tumblr, using OAuth 2.0.
 *
 * 1. Register an application at https://www.tumblr.com/oauth/apps with the callback URL
 *    `https://<your site>/auth/callback/tumblr` (`/api/auth/callback/tumblr` with Next.js).
 * 2. Set `AUTH_TUMBLR_ID` and `AUTH_TUMBLR_SECRET`.
 *
 * Scope: `basic`. The user gets a name and an image, but no email.
 *
 * - The account id is that of the user's primary blog, because a blog name can pass to another user.
 * - With `tokens: vault`, `offline_access` is added to the scope, so that you get a refresh token.
 *
 * @example
 * ```ts
 * import Tumblr from "@latchkey/core/providers/tumblr"
 * export const provider = Tumblr()
 * ```
 * @see https://www.tumblr.com/docs/en/api/v2
 */
const Tumblr: ProviderFactory<TumblrProfile, object, "tumblr"> = defineProvider({
  id: "tumblr",
  name: "Tumblr",
  type: "oauth",
  authorization: { url: "https://www.tumblr.com/oauth2/authorize", params: { scope: "basic" } },
  token: "https://api.tumblr.com/v2/oauth2/token",
  userinfo: "https://api.tumblr.com/v2/user/info",
  checks: ["state"],
  client: { token_endpoint_auth_method: "client_secret_basic" },
  profile: ({ response }) => ({
    id: response.user.blogs?.find((each) => each.primary)?.uuid,
    name: response.user.name,
    email: null,
    image: response.user.blogs?.find((each) => each.primary)?.avatar?.[0]?.url ?? null,
  }),
  tokens: { scope: "offline_access" },
  style: { brandColor: "#36465d", icon },
})

export default Tumblr
