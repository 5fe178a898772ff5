import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/faceit.js"

/** The profile that FACEIT returns. */
export interface FACEITProfile extends ServiceProfile {
  readonly guid: string
  readonly name: string
  readonly nickname: string
  readonly email: string
  readonly picture: string
}

/**
 * Sign in with FACEIT, using OAuth 2.0.
 *
 * 1. Register an application at https://developers.faceit.com with the callback URL
 *    `https://<your site>/auth/callback/faceit` (`/api/auth/callback/faceit` with Next.js).
 * 2. Set `AUTH_FACEIT_ID` and `AUTH_FACEIT_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import FACEIT from "@latchkey/core/providers/faceit"
 * export const provider = FACEIT()
 * ```
 * @see https://cdn.faceit.com/third_party/docs/FACEIT_Connect_3.0.pdf
 */
const FACEIT: ProviderFactory<FACEITProfile, object, "faceit"> = defineProvider({
  id: "faceit",
  name: "FACEIT",
  type: "oauth",
  style: { icon },
  authorization: "https://accounts.faceit.com/accounts?redirect_popup=true&scope=openid%20profile%20email",
  token: "https://api.faceit.com/auth/v1/oauth/token",
  userinfo: "https://api.faceit.com/auth/v1/resources/userinfo",
  profile: ({ guid, name, email, picture }) => ({ id: guid, name, email, image: picture }),
})

export default FACEIT
