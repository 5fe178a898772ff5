import type { RawProfile } from "../model/provider.js"
import { urlBelow } from "../provider-kit/issuer-url.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Mattermost. */
export interface MattermostProfile extends RawProfile {
  readonly id: string
  readonly username?: string | null
  readonly first_name: string
  readonly last_name: string
  readonly email: string
}

/**
 * Sign-in with Mattermost, by OAuth 2.
 *
 * Set-up: register an application at Mattermost with the callback URL `https://<your site>/auth/callback/mattermost`
 * (`/api/auth/…` under Next.js), and set `AUTH_MATTERMOST_ID`, `AUTH_MATTERMOST_SECRET` and
 * `AUTH_MATTERMOST_ISSUER`.
 * The issuer is the base URL of the server, such as `https://example.cloud.mattermost.com`.
 * Scope: `openid profile email`. The profile gives the name and the e-mail address, but no picture.
 *
 * - issuer is consumed as a base URL and not kept as an OIDC issuer.
 * - Mattermost ignores scope.
 *
 * @example
 * ```ts
 * import Mattermost from "@latchkey/core/providers/mattermost"
 * export const provider = Mattermost({ issuer: "https://example.cloud.mattermost.com" })
 * ```
 * @see https://developers.mattermost.com/integrate/apps/authentication/oauth2/
 */
const Mattermost: ProviderFactory<MattermostProfile> = defineProvider<MattermostProfile>(({ issuer }) => ({
  id: "mattermost",
  name: "Mattermost",
  type: "oauth",
  authorization: { url: urlBelow(issuer, "/oauth/authorize"), params: { scope: "openid profile email" } },
  token: urlBelow(issuer, "/oauth/access_token"),
  userinfo: urlBelow(issuer, "/api/v4/users/me"),
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, username, first_name, last_name, email }) => ({
    id,
    name: username ?? `${first_name} ${last_name}`,
    email,
    image: null,
  }),
  style: { brandColor: "#000" },
}))

export default Mattermost
