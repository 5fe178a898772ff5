import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Mailchimp. */
export interface MailchimpProfile extends RawProfile {
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
 * Sign-in with Mailchimp, by OAuth 2.
 *
 * Set-up: register an application at Mailchimp with the callback URL `https://<your site>/auth/callback/mailchimp`
 * (`/api/auth/…` under Next.js), and set `AUTH_MAILCHIMP_ID` and `AUTH_MAILCHIMP_SECRET`.
 * Scope: `openid profile email`. The profile gives the name and the e-mail address, but no picture.
 *
 * - The metadata tells the data-centre host for later API calls.
 *
 * @example
 * ```ts
 * import Mailchimp from "@latchkey/core/providers/mailchimp"
 * export const provider = Mailchimp()
 * ```
 * @see https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/
 */
const Mailchimp: ProviderFactory<MailchimpProfile> = defineProvider<MailchimpProfile>({
  id: "mailchimp",
  name: "Mailchimp",
  type: "oauth",
  authorization: {
    url: "https://login.mailchimp.com/oauth2/authorize",
    params: { scope: "openid profile email" },
  },
  token: "https://login.mailchimp.com/oauth2/token",
  userinfo: "https://login.mailchimp.com/oauth2/metadata",
  profile: ({ login, accountname }) => ({
    id: String(login.login_id),
    name: accountname,
    email: login.email,
    image: null,
  }),
  style: { brandColor: "#000" },
})

export default Mailchimp
