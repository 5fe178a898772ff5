import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/box.js"

/** The profile that Box returns. */
export interface BoxProfile extends ServiceProfile {
  readonly id: string
  readonly name: string
  readonly login: string
  readonly avatar_url: string
}

/**
 * Sign in with Box, using OAuth 2.0.
 *
 * 1. Register an application at https://app.box.com/developers/console with the callback URL
 *    `https://<your site>/auth/callback/box` (`/api/auth/callback/box` with Next.js).
 * 2. Set `AUTH_BOX_ID` and `AUTH_BOX_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Box from "@latchkey/core/providers/box"
 * export const provider = Box()
 * ```
 * @see https://developer.box.com/guides/authentication/oauth2/
 */
const Box: ProviderFactory<BoxProfile, object, "box"> = defineProvider({
  id: "box",
  name: "Box",
  type: "oauth",
  authorization: "https://account.box.com/api/oauth2/authorize?scope=openid%20profile%20email",
  token: "https://api.box.com/oauth2/token",
  userinfo: "https://api.box.com/2.0/users/me",
  profile: ({ id, name, login, avatar_url }) => ({ id, name, email: login, image: avatar_url }),
  style: { brandColor: "#0075C9", icon },
})

export default Box
