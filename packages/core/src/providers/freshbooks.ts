import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Freshbooks. */
export interface FreshbooksProfile extends RawProfile {
  readonly response: {
    readonly id: number
    readonly first_name: string
    readonly last_name: string
    readonly email: string
  }
}

/**
 * Sign-in with Freshbooks, by OAuth 2.
 *
 * Set-up: register an application at Freshbooks with the callback URL `https://<your site>/auth/callback/freshbooks`
 * (`/api/auth/…` under Next.js), and set `AUTH_FRESHBOOKS_ID` and `AUTH_FRESHBOOKS_SECRET`.
 * Scope: `openid profile email`. The profile gives the name and the e-mail address, but no picture.
 *
 * - Redirect URLs must be HTTPS.
 *
 * @example
 * ```ts
 * import Freshbooks from "@latchkey/core/providers/freshbooks"
 * export const provider = Freshbooks()
 * ```
 * @see https://www.freshbooks.com/api/authentication
 */
const Freshbooks: ProviderFactory<FreshbooksProfile> = defineProvider<FreshbooksProfile>({
  id: "freshbooks",
  name: "Freshbooks",
  type: "oauth",
  authorization: {
    url: "https://auth.freshbooks.com/service/auth/oauth/authorize",
    params: { scope: "openid profile email" },
  },
  token: "https://api.freshbooks.com/auth/oauth/token",
  userinfo: "https://api.freshbooks.com/auth/api/v1/users/me",
  profile: ({ response }) => ({
    id: String(response.id),
    name: `${response.first_name} ${response.last_name}`,
    email: response.email,
    image: null,
  }),
  style: { brandColor: "#0075dd" },
})

export default Freshbooks
