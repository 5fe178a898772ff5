import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Pinterest. */
export interface PinterestProfile extends RawProfile {
  readonly account_type: string
  readonly username: string
  readonly profile_image: string
}

/**
 * Sign-in with Pinterest, by OAuth 2.
 *
 * Set-up: register an application at Pinterest with the callback URL `https://<your site>/auth/callback/pinterest`
 * (`/api/auth/…` under Next.js), and set `AUTH_PINTEREST_ID` and `AUTH_PINTEREST_SECRET`.
 * Scope: `user_accounts:read`. The profile gives the name and a picture, but no e-mail address.
 *
 * - The username is the account id, although it can change: `profile` of your own can return the `id` of the answer instead,
 *   in an application that has no accounts yet.
 * - Pinterest documents comma-separated scopes.
 *
 * @example
 * ```ts
 * import Pinterest from "@latchkey/core/providers/pinterest"
 * export const provider = Pinterest()
 * ```
 * @see https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
 */
const Pinterest: ProviderFactory<PinterestProfile> = defineProvider<PinterestProfile>({
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
  style: { brandColor: "#bd081c" },
})

export default Pinterest
