import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/mailchimp.js"

/** The profile that Mailchimp returns. */
export interface MailchimpProfile extends ServiceProfile {
  readonly dc: string
  readonly role: string
  readonly accountname: string
  readonly user_id: number
  readonly login: {
    readonly email: string
    readonly avatar: string | null
    readonly login_id: number
    readonly login_name: string
    readonly login_email: string
  }
  readonly login_url: string
  readonly api_endpoint: string
}

/**
 * Sign in with Mailchimp, using OAuth 2.0.
 *
 * 1. Register an application at https://admin.mailchimp.com/account/oauth2/ with the callback URL
 *    `https://<your site>/auth/callback/mailchimp` (`/api/auth/callback/mailchimp` with Next.js).
 * 2. Set `AUTH_MAILCHIMP_ID` and `AUTH_MAILCHIMP_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name and an email, but no image.
 *
 * - The raw profile has `api_endpoint`, the host for further API calls.
 *
 * @example
 * ```ts
 * import Mailchimp from "@latchkey/core/providers/mailchimp"
 * export const provider = Mailchimp()
 * ```
 * @see https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/
 */
const Mailchimp: ProviderFactory<MailchimpProfile, object, "mailchimp"> = defineProvider({
  id: "mailchimp",
  name: "Mailchimp",
  type: "oauth",
  authorization: "https://login.mailchimp.com/oauth2/authorize?scope=openid%20profile%20email",
  token: "https://login.mailchimp.com/oauth2/token",
  userinfo: "https://login.mailchimp.com/oauth2/metadata",
  profile: ({ login, accountname }) => ({
    id: String(login.login_id),
    name: accountname,
    email: login.email,
    image: null,
  }),
  style: { brandColor: "#000", icon },
})

export default Mailchimp
