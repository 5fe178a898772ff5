import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to DonationAlerts. */
export interface DonationAlertsProfile extends RawProfile {
  readonly data: {
    readonly id: number
    readonly code: string
    readonly name: string
    readonly avatar?: string | null
    readonly email?: string | null
    readonly socket_connection_token: string
  }
}

/**
 * Sign-in with DonationAlerts, by OAuth 2.
 *
 * Set-up: register an application at DonationAlerts with the callback URL `https://<your
 * site>/auth/callback/donation-alerts` (`/api/auth/…` under Next.js), and set `AUTH_DONATION_ALERTS_ID` and
 * `AUTH_DONATION_ALERTS_SECRET`.
 * Scope: `oauth-user-show`. The profile gives the name, the e-mail address and a picture.
 *
 * - The answer holds a live socket token: do not store or log the raw profile.
 *
 * @example
 * ```ts
 * import DonationAlerts from "@latchkey/core/providers/donation-alerts"
 * export const provider = DonationAlerts()
 * ```
 * @see https://www.donationalerts.com/apidoc
 */
const DonationAlerts: ProviderFactory<DonationAlertsProfile> = defineProvider<DonationAlertsProfile>({
  id: "donation-alerts",
  name: "DonationAlerts",
  type: "oauth",
  authorization: { url: "https://www.donationalerts.com/oauth/authorize", params: { scope: "oauth-user-show" } },
  token: "https://www.donationalerts.com/oauth/token",
  userinfo: "https://www.donationalerts.com/api/v1/user/oauth",
  checks: ["state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ data }) => ({
    id: String(data.id),
    name: data.name,
    email: data.email ?? null,
    image: data.avatar ?? null,
  }),
  style: { brandColor: "#f57507" },
})

export default DonationAlerts
