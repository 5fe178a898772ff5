import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/atlassian.js"

/** The profile that Atlassian returns. */
export interface AtlassianProfile extends ServiceProfile {
  readonly account_id: string
  readonly name: string
  readonly email: string
  readonly picture: string
}

/**
 * Sign in with Atlassian, using OAuth 2.0.
 *
 * 1. Register an application at https://developer.atlassian.com/console/myapps with the callback URL
 *    `https://<your site>/auth/callback/atlassian` (`/api/auth/callback/atlassian` with Next.js).
 * 2. Set `AUTH_ATLASSIAN_ID` and `AUTH_ATLASSIAN_SECRET`.
 *
 * Scope: `read:me`. The user gets a name, an email and an image.
 *
 * - With `tokens: vault`, `offline_access` is added to the scope, so that you get a refresh token.
 *
 * @example
 * ```ts
 * import Atlassian from "@latchkey/core/providers/atlassian"
 * export const provider = Atlassian()
 * ```
 * @see https://developer.atlassian.com/cloud/jira/software/oauth-2-3lo-apps/
 */
const Atlassian: ProviderFactory<AtlassianProfile, object, "atlassian"> = defineProvider({
  id: "atlassian",
  name: "Atlassian",
  type: "oauth",
  authorization: {
    url: "https://auth.atlassian.com/authorize",
    params: { audience: "api.atlassian.com", scope: "read:me" },
  },
  token: "https://auth.atlassian.com/oauth/token",
  userinfo: "https://api.atlassian.com/me",
  checks: ["state"],
  profile: ({ account_id, name, email, picture }) => ({ id: account_id, name, email, image: picture }),
  tokens: { scope: "offline_access" },
  style: { brandColor: "#0052cc", icon },
})

export default Atlassian
