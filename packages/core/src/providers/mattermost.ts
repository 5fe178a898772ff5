import type { ServiceProfile } from "../model/provider.js"
import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/mattermost.js"
import { urlBelow } from "../provider-kit/options.js"

/** The profile that Mattermost returns. */
export interface MattermostProfile extends ServiceProfile {
  readonly id: string
  readonly username: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
}

/**
 * Sign in with Mattermost, using OAuth 2.0.
 *
 * 1. Create an OAuth 2.0 application under Integrations in Mattermost with the callback URL
 *    `https://<your site>/auth/callback/mattermost` (`/api/auth/callback/mattermost` with Next.js).
 * 2. Set `AUTH_MATTERMOST_ID` and `AUTH_MATTERMOST_SECRET`.
 * 3. Set `AUTH_MATTERMOST_ISSUER` to the URL of the server, for example `https://example.cloud.mattermost.com`.
 *
 * Scope: `openid profile email`. The user gets a name and an email, but no image.
 *
 * - Mattermost ignores the scope.
 *
 * @example
 * ```ts
 * import Mattermost from "@latchkey/core/providers/mattermost"
 * export const provider = Mattermost({ issuer: "https://example.cloud.mattermost.com" })
 * ```
 * @see https://developers.mattermost.com/integrate/apps/authentication/oauth2/
 */
const Mattermost: ProviderFactory<MattermostProfile, object, "mattermost"> = defineProvider(({ issuer }) => ({
  id: "mattermost",
  name: "Mattermost",
  type: "oauth",
  authorization: urlBelow(issuer, "/oauth/authorize?scope=openid%20profile%20email"),
  token: urlBelow(issuer, "/oauth/access_token"),
  userinfo: urlBelow(issuer, "/api/v4/users/me"),
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, username, first_name, last_name, email }) => ({
    id,
    name: username ?? `${first_name} ${last_name}`,
    email,
    image: null,
  }),
  style: { brandColor: "#000", icon },
}))

export default Mattermost
