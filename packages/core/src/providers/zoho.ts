import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Zoho. */
export interface ZohoProfile extends RawProfile {
  readonly ZUID: number
  readonly First_Name: string
  readonly Last_Name: string
  readonly Email: string
  readonly Display_Name: string
}

/**
 * Sign-in with Zoho, by OAuth 2.
 *
 * Set-up: register an application at Zoho with the callback URL `https://<your site>/auth/callback/zoho`
 * (`/api/auth/…` under Next.js), and set `AUTH_ZOHO_ID` and `AUTH_ZOHO_SECRET`.
 * Scope: `AaaServer.profile.Read`. The profile gives the name and the e-mail address, but no picture.
 *
 * - Data centres differ by host (.eu, .in, .com.au, .jp …); the callback tells the right one in accounts-server and
 *   location.
 * - Errors come with status 200 and an error field.
 *
 * @example
 * ```ts
 * import Zoho from "@latchkey/core/providers/zoho"
 * export const provider = Zoho()
 * ```
 * @see https://www.zoho.com/accounts/protocol/oauth/web-server-applications.html
 */
const Zoho: ProviderFactory<ZohoProfile> = defineProvider<ZohoProfile>({
  id: "zoho",
  name: "Zoho",
  type: "oauth",
  authorization: { url: "https://accounts.zoho.com/oauth/v2/auth", params: { scope: "AaaServer.profile.Read" } },
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
