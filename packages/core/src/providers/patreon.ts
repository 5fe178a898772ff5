import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/patreon.js"

/** The profile that Patreon returns. */
export interface PatreonProfile extends ServiceProfile {
  readonly data: {
    readonly id: string
    readonly type: string
    readonly attributes: {
      readonly full_name: string
      readonly email: string
      readonly image_url: string
    }
  }
}

/**
 * Sign in with Patreon, using OAuth 2.0.
 *
 * 1. Register an application at https://www.patreon.com/portal/registration/register-clients with the callback URL
 *    `https://<your site>/auth/callback/patreon` (`/api/auth/callback/patreon` with Next.js).
 * 2. Set `AUTH_PATREON_ID` and `AUTH_PATREON_SECRET`.
 *
 * Scope: `identity identity[email]`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Patreon from "@latchkey/core/providers/patreon"
 * export const provider = Patreon()
 * ```
 * @see https://docs.patreon.com/#oauth
 */
const Patreon: ProviderFactory<PatreonProfile, object, "patreon"> = defineProvider({
  id: "patreon",
  name: "Patreon",
  type: "oauth",
  authorization: {
    url: "https://www.patreon.com/oauth2/authorize",
    params: { scope: "identity identity[email]" },
  },
  token: "https://www.patreon.com/api/oauth2/token",
  userinfo: "https://www.patreon.com/api/oauth2/api/current_user",
  profile: ({ data }) => ({
    id: data.id,
    name: data.attributes.full_name,
    email: data.attributes.email,
    image: data.attributes.image_url,
  }),
  style: { brandColor: "#e85b46", icon },
})

export default Patreon
