import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/zoho.js"

/** The profile that Zoho returns. */
export interface ZohoProfile extends ServiceProfile {
  readonly ZUID: number
  readonly First_Name: string
  readonly Last_Name: string
  readonly Email: string
  readonly Display_Name: string
}

/**
 * Sign in with Zoho, using OAuth 2.0.
 *
 * 1. Register an application at https://api-console.zoho.com with the callback URL
 *    `https://<your site>/auth/callback/zoho` (`/api/auth/callback/zoho` with Next.js).
 * 2. Set `AUTH_ZOHO_ID` and `AUTH_ZOHO_SECRET`.
 *
 * Scope: `AaaServer.profile.Read`. The user gets a name and an email, but no image.
 *
 * - Each data center has its own host, such as accounts.zoho.eu. For another one, set `authorization`, `token` and
 *   `userinfo`.
 *
 * @example
 * ```ts
 * import Zoho from "@latchkey/core/providers/zoho"
 * export const provider = Zoho()
 * ```
 * @see https://www.zoho.com/accounts/protocol/oauth/web-server-applications.html
 */
const Zoho: ProviderFactory<ZohoProfile, object, "zoho"> = defineProvider({
  id: "zoho",
  name: "Zoho",
  type: "oauth",
  tokens: { params: { access_type: "offline" } },
  style: { icon },
  authorization: "https://accounts.zoho.com/oauth/v2/auth?scope=AaaServer.profile.Read",
  token: "https://accounts.zoho.com/oauth/v2/token",
  userinfo: "https://accounts.zoho.com/oauth/user/info",
  profile: ({ ZUID, First_Name, Last_Name, Email }) => ({
    id: String(ZUID),
    name: `${First_Name} ${Last_Name}`,
    email: Email,
    image: null,
  }),
})

export default Zoho
