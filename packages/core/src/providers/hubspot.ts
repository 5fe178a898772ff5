import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, urlComponent } from "../provider-kit/fetch-json.js"

/** The signed-in person, as known to HubSpot. */
export interface HubSpotProfile extends RawProfile {
  readonly user: string
  readonly user_id: number | string
  readonly hub_domain: string
  readonly hub_id: string
}

/**
 * Sign-in with HubSpot, by OAuth 2.
 *
 * Set-up: register an application at HubSpot with the callback URL `https://<your site>/auth/callback/hubspot`
 * (`/api/auth/…` under Next.js), and set `AUTH_HUBSPOT_ID` and `AUTH_HUBSPOT_SECRET`.
 * Scope: `oauth`. The profile gives the name and the e-mail address, but no picture.
 *
 * - Userinfo is token introspection with the access token in the path.
 * - Only the e-mail address is known; it is used as name too.
 * - The live answer gives user_id as a number.
 * - HubSpot deprecated the oauth/v1 endpoints and announced their end for February 2027; successors are POST
 *   /oauth/2026-03/token and POST /oauth/2026-03/token/introspect (credentials and token in the body).
 *
 * @example
 * ```ts
 * import HubSpot from "@latchkey/core/providers/hubspot"
 * export const provider = HubSpot()
 * ```
 * @see https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/oauth/oauth-quickstart-guide
 */
const HubSpot: ProviderFactory<HubSpotProfile> = defineProvider<HubSpotProfile>({
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
  style: { brandColor: "#ff7a59" },
})

export default HubSpot
