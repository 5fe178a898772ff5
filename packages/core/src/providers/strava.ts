import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/strava.js"

/** The profile that Strava returns. */
export interface StravaProfile extends ServiceProfile {
  readonly id: number
  readonly firstname: string
  readonly lastname: string
  readonly profile: string
}

/**
 * Sign in with Strava, using OAuth 2.0.
 *
 * 1. Register an application at https://www.strava.com/settings/api with the callback URL
 *    `https://<your site>/auth/callback/strava` (`/api/auth/callback/strava` with Next.js).
 * 2. Set `AUTH_STRAVA_ID` and `AUTH_STRAVA_SECRET`.
 *
 * Scope: `read`. The user gets a name and an image, but no email.
 *
 * - Separate scopes with commas.
 *
 * @example
 * ```ts
 * import Strava from "@latchkey/core/providers/strava"
 * export const provider = Strava()
 * ```
 * @see https://developers.strava.com/docs/authentication/
 */
const Strava: ProviderFactory<StravaProfile, object, "strava"> = defineProvider({
  id: "strava",
  name: "Strava",
  type: "oauth",
  style: { icon },
  authorization: {
    url: "https://www.strava.com/api/v3/oauth/authorize",
    params: { scope: "read", approval_prompt: "auto", response_type: "code" },
  },
  token: "https://www.strava.com/api/v3/oauth/token",
  userinfo: "https://www.strava.com/api/v3/athlete",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, firstname, lastname, profile }) => ({
    id: String(id),
    name: `${firstname} ${lastname}`,
    email: null,
    image: profile,
  }),
})

export default Strava
