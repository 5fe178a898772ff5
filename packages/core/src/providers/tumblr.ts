import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Tumblr. */
export interface TumblrProfile extends RawProfile {
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
 * Sign-in with Tumblr, by OAuth 2.
 *
 * Set-up: register an application at Tumblr with the callback URL `https://<your site>/auth/callback/tumblr`
 * (`/api/auth/…` under Next.js), and set `AUTH_TUMBLR_ID` and `AUTH_TUMBLR_SECRET`.
 * Scope: `basic`. The profile gives the name and a picture, but no e-mail address.
 *
 * - The id is that of the person's primary blog: names can be given up, and taken by somebody else.
 * - offline_access gives a refresh token.
 *
 * @example
 * ```ts
 * import Tumblr from "@latchkey/core/providers/tumblr"
 * export const provider = Tumblr()
 * ```
 * @see https://www.tumblr.com/docs/en/api/v2
 */
const Tumblr: ProviderFactory<TumblrProfile> = defineProvider<TumblrProfile>({
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
  style: { brandColor: "#36465d" },
})

export default Tumblr
