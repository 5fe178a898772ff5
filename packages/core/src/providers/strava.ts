import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Strava. */
export interface StravaProfile extends RawProfile {
  readonly id: number
  readonly firstname: string
  readonly lastname: string
  readonly profile: string
}

/**
 * Sign-in with Strava, by OAuth 2.
 *
 * Set-up: register an application at Strava with the callback URL `https://<your site>/auth/callback/strava`
 * (`/api/auth/…` under Next.js), and set `AUTH_STRAVA_ID` and `AUTH_STRAVA_SECRET`.
 * Scope: `read`. The profile gives the name and a picture, but no e-mail address.
 *
 * - Scopes are joined by commas.
 *
 * @example
 * ```ts
 * import Strava from "@latchkey/core/providers/strava"
 * export const provider = Strava()
 * ```
 * @see https://developers.strava.com/docs/authentication/
 */
const Strava: ProviderFactory<StravaProfile> = defineProvider<StravaProfile>({
  id: "strava",
  name: "Strava",
  type: "oauth",
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
