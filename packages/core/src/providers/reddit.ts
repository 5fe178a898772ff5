import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Reddit. */
export interface RedditProfile extends RawProfile {
  readonly id?: string
  readonly name?: string
  readonly icon_img?: string
}

/**
 * Sign-in with Reddit, by OAuth 2.
 *
 * Set-up: register an application at Reddit with the callback URL `https://<your site>/auth/callback/reddit`
 * (`/api/auth/…` under Next.js), and set `AUTH_REDDIT_ID` and `AUTH_REDDIT_SECRET`.
 * Scope: `identity`. The profile is made of the standard claims.
 *
 * - No e-mail is available.
 * - Reddit throttles or refuses generic User-Agent values on token and API calls; a descriptive one should be sent.
 * - duration=permanent gives a refresh token.
 * - New API applications need approval by Reddit since late 2025.
 *
 * @example
 * ```ts
 * import Reddit from "@latchkey/core/providers/reddit"
 * export const provider = Reddit()
 * ```
 * @see https://www.reddit.com/dev/api/
 */
const Reddit: ProviderFactory<RedditProfile> = defineProvider<RedditProfile>({
  id: "reddit",
  name: "Reddit",
  type: "oauth",
  authorization: { url: "https://www.reddit.com/api/v1/authorize", params: { scope: "identity" } },
  token: "https://www.reddit.com/api/v1/access_token",
  userinfo: "https://oauth.reddit.com/api/v1/me",
  checks: ["state"],
  style: { brandColor: "#FF4500" },
})

export default Reddit
