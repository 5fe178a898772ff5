import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/gumroad.js"

/** The profile that Gumroad returns. */
export interface GumroadProfile extends ServiceProfile {
  readonly success: boolean
  readonly user: {
    readonly user_id: string
    readonly name: string
    readonly email: string
    readonly profile_url: string
  }
}

/**
 * Sign in with Gumroad, using OAuth 2.0.
 *
 * 1. Register an application at https://gumroad.com/settings/advanced with the callback URL
 *    `https://<your site>/auth/callback/gumroad` (`/api/auth/callback/gumroad` with Next.js).
 * 2. Set `AUTH_GUMROAD_ID` and `AUTH_GUMROAD_SECRET`.
 *
 * Scope: `view_profile`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Gumroad from "@latchkey/core/providers/gumroad"
 * export const provider = Gumroad()
 * ```
 * @see https://gumroad.com/api
 */
const Gumroad: ProviderFactory<GumroadProfile, object, "gumroad"> = defineProvider({
  id: "gumroad",
  name: "Gumroad",
  type: "oauth",
  authorization: { url: "https://gumroad.com/oauth/authorize", params: { scope: "view_profile" } },
  token: "https://api.gumroad.com/oauth/token",
  userinfo: "https://api.gumroad.com/v2/user",
  checks: ["state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ user }) => ({ id: user.user_id, name: user.name, email: user.email, image: user.profile_url }),
  style: { brandColor: "#ff90e8", icon },
})

export default Gumroad
