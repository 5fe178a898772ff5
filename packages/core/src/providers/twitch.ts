import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** Claims of an ID token of Twitch. */
export interface TwitchProfile extends RawProfile {
  readonly sub: string
  readonly preferred_username: string
  readonly email: string
  readonly picture: string
}

/**
 * Sign-in with Twitch, by OpenID Connect.
 *
 * Set-up: register an application at Twitch with the callback URL `https://<your site>/auth/callback/twitch`
 * (`/api/auth/…` under Next.js), and set `AUTH_TWITCH_ID` and `AUTH_TWITCH_SECRET`.
 * Scope: `openid user:read:email`. The profile is made of the standard claims.
 *
 * - Claims must be asked for with the claims parameter (sent as JSON text) or the ID token holds only the subject.
 *
 * @example
 * ```ts
 * import Twitch from "@latchkey/core/providers/twitch"
 * export const provider = Twitch()
 * ```
 * @see https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/
 */
const Twitch: ProviderFactory<TwitchProfile> = defineProvider<TwitchProfile>({
  id: "twitch",
  name: "Twitch",
  type: "oidc",
  issuer: "https://id.twitch.tv/oauth2",
  authorization: {
    params: {
      scope: "openid user:read:email",
      claims: { id_token: { email: null, picture: null, preferred_username: null } },
    },
  },
  client: { token_endpoint_auth_method: "client_secret_post" },
  style: { brandColor: "#65459B" },
})

export default Twitch
