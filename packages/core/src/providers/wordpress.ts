import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/wordpress.js"

/** The profile that WordPress.com returns. */
export interface WordPressProfile extends ServiceProfile {
  readonly ID: number
  readonly display_name: string
  readonly username: string
  readonly email: string
  readonly avatar_URL: string
}

/**
 * Sign in with WordPress.com, using OAuth 2.0.
 *
 * 1. Register an application at https://developer.wordpress.com/apps/ with the callback URL
 *    `https://<your site>/auth/callback/wordpress` (`/api/auth/callback/wordpress` with Next.js).
 * 2. Set `AUTH_WORDPRESS_ID` and `AUTH_WORDPRESS_SECRET`.
 *
 * Scope: `auth`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import WordPress from "@latchkey/core/providers/wordpress"
 * export const provider = WordPress()
 * ```
 * @see https://developer.wordpress.com/docs/oauth2/
 */
const WordPress: ProviderFactory<WordPressProfile, object, "wordpress"> = defineProvider({
  id: "wordpress",
  name: "WordPress.com",
  type: "oauth",
  style: { icon },
  authorization: "https://public-api.wordpress.com/oauth2/authorize?scope=auth",
  token: "https://public-api.wordpress.com/oauth2/token",
  userinfo: "https://public-api.wordpress.com/rest/v1/me",
  profile: ({ ID, display_name, email, avatar_URL }) => ({
    id: String(ID),
    name: display_name,
    email,
    image: avatar_URL,
  }),
})

export default WordPress
