import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Atlassian. */
export interface AtlassianProfile extends RawProfile {
  readonly account_id: string
  readonly name: string
  readonly email: string
  readonly picture: string
}

/**
 * Sign-in with Atlassian, by OAuth 2.
 *
 * Set-up: register an application at Atlassian with the callback URL `https://<your site>/auth/callback/atlassian`
 * (`/api/auth/…` under Next.js), and set `AUTH_ATLASSIAN_ID` and `AUTH_ATLASSIAN_SECRET`.
 * Scope: `read:me`. The profile gives the name, the e-mail address and a picture.
 *
 * - The authorization request must carry audience=api.atlassian.com.
 * - prompt=consent is asked for by Atlassian's docs; offline_access is needed for a refresh token.
 *
 * @example
 * ```ts
 * import Atlassian from "@latchkey/core/providers/atlassian"
 * export const provider = Atlassian()
 * ```
 * @see https://developer.atlassian.com/cloud/jira/software/oauth-2-3lo-apps/
 */
const Atlassian: ProviderFactory<AtlassianProfile> = defineProvider<AtlassianProfile>({
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
  style: { brandColor: "#0052cc" },
})

export default Atlassian
