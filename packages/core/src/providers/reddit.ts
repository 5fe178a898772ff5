import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/reddit.js"

/** The profile that Reddit returns. */
export interface RedditProfile extends ServiceProfile {
  readonly id?: string
  readonly name?: string
  readonly icon_img?: string
}

/**
 * Sign in with Reddit, using OAuth 2.0.
 *
 * 1. Register an application at https://www.reddit.com/prefs/apps with the callback URL
 *    `https://<your site>/auth/callback/reddit` (`/api/auth/callback/reddit` with Next.js).
 * 2. Set `AUTH_REDDIT_ID` and `AUTH_REDDIT_SECRET`.
 *
 * Scope: `identity`. The user gets a name, but no email and no image.
 *
 * - With `tokens: vault`, `duration=permanent` is sent, so that you get a refresh token.
 * - Since late 2025 Reddit has to approve new applications.
 *
 * @example
 * ```ts
 * import Reddit from "@latchkey/core/providers/reddit"
 * export const provider = Reddit()
 * ```
 * @see https://www.reddit.com/dev/api/
 */
const Reddit: ProviderFactory<RedditProfile, object, "reddit"> = defineProvider({
  id: "reddit",
  name: "Reddit",
  type: "oauth",
  authorization: "https://www.reddit.com/api/v1/authorize?scope=identity",
  token: "https://www.reddit.com/api/v1/access_token",
  userinfo: "https://oauth.reddit.com/api/v1/me",
  checks: ["state"],
  tokens: { params: { duration: "permanent" }, hosts: ["oauth.reddit.com"] },
  style: { brandColor: "#FF4500", icon },
})

export default Reddit
