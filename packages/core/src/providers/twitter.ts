import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/twitter.js"

/** The profile that Twitter returns. */
export interface TwitterProfile extends ServiceProfile {
  readonly data: {
    readonly id: string
    readonly name: string
    readonly username: string
    readonly profile_image_url: string
    readonly email?: string | null
  }
}

/**
 * Sign in with Twitter, using OAuth 2.0.
 *
 * 1. Register an application at https://developer.x.com/en/portal/dashboard with the callback URL
 *    `https://<your site>/auth/callback/twitter` (`/api/auth/callback/twitter` with Next.js).
 * 2. Set `AUTH_TWITTER_ID` and `AUTH_TWITTER_SECRET`.
 *
 * Scope: `users.read tweet.read offline.access`. The user gets a name and an image, but no email.
 *
 * - To get an email, enable it for the application, add `users.email` to the scope, and add `confirmed_email` to
 *   `user.fields` in `userinfo`. Your own `profile` can then read `data.confirmed_email`.
 *
 * @example
 * ```ts
 * import Twitter from "@latchkey/core/providers/twitter"
 * export const provider = Twitter()
 * ```
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code
 */
const Twitter: ProviderFactory<TwitterProfile, object, "twitter"> = defineProvider({
  id: "twitter",
  name: "Twitter",
  type: "oauth",
  authorization: "https://x.com/i/oauth2/authorize?scope=users.read tweet.read offline.access",
  token: "https://api.x.com/2/oauth2/token",
  userinfo: "https://api.x.com/2/users/me?user.fields=profile_image_url",
  checks: ["pkce", "state"],
  profile: ({ data }) => ({
    id: data.id,
    name: data.name,
    email: data.email ?? null,
    image: data.profile_image_url,
  }),
  style: { brandColor: "#1da1f2", icon },
})

export default Twitter
