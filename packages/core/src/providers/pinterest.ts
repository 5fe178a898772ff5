import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/pinterest.js"

/** The profile that Pinterest returns. */
export interface PinterestProfile extends ServiceProfile {
  readonly account_type: string
  readonly username: string
  readonly profile_image: string
}

/**
 * Sign in with Pinterest, using OAuth 2.0.
 *
 * 1. Register an application at https://developers.pinterest.com/apps with the callback URL
 *    `https://<your site>/auth/callback/pinterest` (`/api/auth/callback/pinterest` with Next.js).
 * 2. Set `AUTH_PINTEREST_ID` and `AUTH_PINTEREST_SECRET`.
 *
 * Scope: `user_accounts:read`. The user gets a name and an image, but no email.
 *
 * - The account id is the username, which the user can change. If your database has no Pinterest accounts yet, write
 *   your own `profile` that returns `id` from the raw profile.
 * - Separate scopes with commas.
 *
 * @example
 * ```ts
 * import Pinterest from "@latchkey/core/providers/pinterest"
 * export const provider = Pinterest()
 * ```
 * @see https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
 */
const Pinterest: ProviderFactory<PinterestProfile, object, "pinterest"> = defineProvider({
  id: "pinterest",
  name: "Pinterest",
  type: "oauth",
  authorization: { url: "https://www.pinterest.com/oauth", params: { scope: "user_accounts:read" } },
  token: "https://api.pinterest.com/v5/oauth/token",
  userinfo: "https://api.pinterest.com/v5/user_account",
  profile: ({ username, profile_image }) => ({
    id: username,
    name: username,
    image: profile_image,
    email: null,
  }),
  style: { brandColor: "#bd081c", icon },
})

export default Pinterest
