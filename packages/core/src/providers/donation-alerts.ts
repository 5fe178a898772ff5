import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The profile that DonationAlerts returns. */
export interface DonationAlertsProfile extends ServiceProfile {
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
 * Sign in with DonationAlerts, using OAuth 2.0.
 *
 * 1. Register an application at https://www.donationalerts.com/application/clients with the callback URL
 *    `https://<your site>/auth/callback/donation-alerts` (`/api/auth/callback/donation-alerts` with Next.js).
 * 2. Set `AUTH_DONATION_ALERTS_ID` and `AUTH_DONATION_ALERTS_SECRET`.
 *
 * Scope: `oauth-user-show`. The user gets a name, an email and an image.
 *
 * - The raw profile holds a live socket token. Don't store or log it.
 *
 * @example
 * ```ts
 * import DonationAlerts from "@latchkey/core/providers/donation-alerts"
 * export const provider = DonationAlerts()
 * ```
 * @see https://www.donationalerts.com/apidoc
 */
const DonationAlerts: ProviderFactory<DonationAlertsProfile, object, "donation-alerts"> = defineProvider({
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
