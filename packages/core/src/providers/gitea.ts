import type { ServiceProfile } from "../model/provider.js"
import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/gitea.js"
import { urlBelow } from "../provider-kit/options.js"

/** The profile that Gitea returns. */
export interface GiteaProfile extends ServiceProfile {
  readonly id: number
  readonly login: string
  readonly full_name?: string | null
  readonly email: string
  readonly avatar_url: string
}

export interface GiteaOptions {
  /** The URL of the Gitea, Forgejo or Codeberg instance. @default "https://gitea.com" */
  readonly baseUrl?: string
}

/**
 * Sign in with Gitea, using OAuth 2.0.
 *
 * 1. Create an OAuth2 application in the settings of your Gitea account with the redirect URI
 *    `https://<your site>/auth/callback/gitea` (`/api/auth/callback/gitea` with Next.js).
 * 2. Set `AUTH_GITEA_ID` and `AUTH_GITEA_SECRET`.
 *
 * Scope: `read:user`. The user gets a name, an email and an image.
 *
 * - Forgejo and Codeberg work too: set `baseUrl`.
 *
 * @example
 * ```ts
 * import Gitea from "@latchkey/core/providers/gitea"
 * export const provider = Gitea()
 * ```
 * @see https://docs.gitea.com/development/oauth2-provider
 */
const Gitea: ProviderFactory<GiteaProfile, GiteaOptions, "gitea"> = defineProvider(
  ({ baseUrl = "https://gitea.com" }) => ({
    id: "gitea",
    name: "Gitea",
    type: "oauth",
    authorization: { url: urlBelow(baseUrl, "/login/oauth/authorize"), params: { scope: "read:user" } },
    token: urlBelow(baseUrl, "/login/oauth/access_token"),
    userinfo: urlBelow(baseUrl, "/api/v1/user"),
    checks: ["pkce", "state"],
    client: { token_endpoint_auth_method: "client_secret_basic" },
    profile: ({ id, full_name, login, email, avatar_url }) => ({
      id: String(id),
      name: full_name || login,
      email,
      image: avatar_url,
    }),
    style: { brandColor: "#609926", icon },
  }),
)

export default Gitea
