import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, urlComponent } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/hubspot.js"

/** The profile that HubSpot returns. */
export interface HubSpotProfile extends ServiceProfile {
  readonly user: string
  readonly user_id: number | string
  readonly hub_domain: string
  readonly hub_id: string
}

/**
 * Sign in with HubSpot, using OAuth 2.0.
 *
 * 1. Register an application at https://developers.hubspot.com with the callback URL
 *    `https://<your site>/auth/callback/hubspot` (`/api/auth/callback/hubspot` with Next.js).
 * 2. Set `AUTH_HUBSPOT_ID` and `AUTH_HUBSPOT_SECRET`.
 *
 * Scope: `oauth`. The user gets a name and an email, but no image.
 *
 * - HubSpot sends no name, so the name is the email.
 * - HubSpot announced the end of the OAuth v1 endpoints used here for February 2027.
 *
 * @example
 * ```ts
 * import HubSpot from "@latchkey/core/providers/hubspot"
 * export const provider = HubSpot()
 * ```
 * @see https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/oauth/oauth-quickstart-guide
 */
const HubSpot: ProviderFactory<HubSpotProfile, object, "hubspot"> = defineProvider({
  id: "hubspot",
  name: "HubSpot",
  type: "oauth",
  authorization: { url: "https://app.hubspot.com/oauth/authorize", params: { scope: "oauth" } },
  token: "https://api.hubapi.com/oauth/v1/token",
  userinfo: {
    url: "https://api.hubapi.com/oauth/v1/access-tokens",
    request: (context) =>
      fetchJson(context, `${context.provider.userinfo.url}/${urlComponent(context.tokens.access_token)}`, {
        headers: { authorization: undefined },
      }),
  },
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ user_id, user }) => ({ id: String(user_id), name: user, email: user, image: null }),
  style: { brandColor: "#ff7a59", icon },
})

export default HubSpot
