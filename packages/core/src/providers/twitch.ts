import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/twitch.js"

/** The claims in an ID token from Twitch. */
export interface TwitchProfile extends ServiceProfile {
  readonly sub: string
  readonly preferred_username: string
  readonly email: string
  readonly picture: string
}

/**
 * Sign in with Twitch, using OpenID Connect.
 *
 * 1. Register an application at https://dev.twitch.tv/console/apps with the callback URL
 *    `https://<your site>/auth/callback/twitch` (`/api/auth/callback/twitch` with Next.js).
 * 2. Set `AUTH_TWITCH_ID` and `AUTH_TWITCH_SECRET`.
 *
 * Scope: `openid user:read:email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Twitch from "@latchkey/core/providers/twitch"
 * export const provider = Twitch()
 * ```
 * @see https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/
 */
const Twitch: ProviderFactory<TwitchProfile, object, "twitch"> = defineProvider({
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
  style: { brandColor: "#65459B", icon },
})

export default Twitch
