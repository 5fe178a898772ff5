import type { RawProfile } from "../model/provider.js"
import { urlBelow } from "../provider-kit/issuer-url.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Gitea. */
export interface GiteaProfile extends RawProfile {
  readonly id: number
  readonly login: string
  readonly full_name?: string | null
  readonly email: string
  readonly avatar_url: string
}

export interface GiteaOptions {
  /** The instance; Forgejo and Codeberg speak the same. @default "https://gitea.com" */
  readonly baseUrl?: string
}

/**
 * Sign-in with Gitea, by OAuth 2.
 *
 * Set-up: register an application at Gitea with the callback URL `https://<your site>/auth/callback/gitea`
 * (`/api/auth/…` under Next.js), and set `AUTH_GITEA_ID` and `AUTH_GITEA_SECRET`.
 * Scope: `read:user`. The profile gives the name, the e-mail address and a picture.
 *
 * - Gitea also publishes OIDC discovery at the base URL (userinfo {baseUrl}/login/oauth/userinfo), so an OIDC
 *   variant with issuer {baseUrl}/ is possible.
 *
 * @example
 * ```ts
 * import Gitea from "@latchkey/core/providers/gitea"
 * export const provider = Gitea()
 * ```
 * @see https://docs.gitea.com/development/oauth2-provider
 */
const Gitea: ProviderFactory<GiteaProfile, GiteaOptions> = defineProvider<GiteaProfile, GiteaOptions>(
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
    style: { brandColor: "#609926" },
  }),
)

export default Gitea
