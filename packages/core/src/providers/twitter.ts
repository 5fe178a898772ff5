import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Twitter. */
export interface TwitterProfile extends RawProfile {
  readonly data: {
    readonly id: string
    readonly name: string
    readonly username: string
    readonly profile_image_url: string
    readonly email?: string | null
  }
}

/**
 * Sign-in with Twitter, by OAuth 2.
 *
 * Set-up: register an application at Twitter with the callback URL `https://<your site>/auth/callback/twitter`
 * (`/api/auth/…` under Next.js), and set `AUTH_TWITTER_ID` and `AUTH_TWITTER_SECRET`.
 * Scope: `users.read tweet.read offline.access`. The profile gives the name, the e-mail address and a picture.
 *
 * - E-mail is not in the default answer; it needs the scope users.email, the app permission and
 *   user.fields=confirmed_email (given as data.confirmed_email).
 * - PKCE is mandatory.
 *
 * @example
 * ```ts
 * import Twitter from "@latchkey/core/providers/twitter"
 * export const provider = Twitter()
 * ```
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code
 */
const Twitter: ProviderFactory<TwitterProfile> = defineProvider<TwitterProfile>({
  id: "twitter",
  name: "Twitter",
  type: "oauth",
  authorization: {
    url: "https://x.com/i/oauth2/authorize",
    params: { scope: "users.read tweet.read offline.access" },
  },
  token: "https://api.x.com/2/oauth2/token",
  userinfo: "https://api.x.com/2/users/me?user.fields=profile_image_url",
  checks: ["pkce", "state"],
  profile: ({ data }) => ({
    id: data.id,
    name: data.name,
    email: data.email ?? null,
    image: data.profile_image_url,
  }),
  style: { brandColor: "#1da1f2" },
})

export default Twitter
