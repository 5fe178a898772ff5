import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The profile that Freshbooks returns. */
export interface FreshbooksProfile extends ServiceProfile {
  readonly response: {
    readonly id: number
    readonly first_name: string
    readonly last_name: string
    readonly email: string
  }
}

/**
 * Sign in with Freshbooks, using OAuth 2.0.
 *
 * 1. Register an application at https://my.freshbooks.com/#/developer with the callback URL
 *    `https://<your site>/auth/callback/freshbooks` (`/api/auth/callback/freshbooks` with Next.js).
 * 2. Set `AUTH_FRESHBOOKS_ID` and `AUTH_FRESHBOOKS_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name and an email, but no image.
 *
 * - FreshBooks accepts https callback URLs only.
 *
 * @example
 * ```ts
 * import Freshbooks from "@latchkey/core/providers/freshbooks"
 * export const provider = Freshbooks()
 * ```
 * @see https://www.freshbooks.com/api/authentication
 */
const Freshbooks: ProviderFactory<FreshbooksProfile, object, "freshbooks"> = defineProvider({
  id: "freshbooks",
  name: "Freshbooks",
  type: "oauth",
  authorization: "https://auth.freshbooks.com/service/auth/oauth/authorize?scope=openid%20profile%20email",
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
