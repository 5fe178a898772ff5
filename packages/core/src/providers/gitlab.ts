import type { ServiceProfile } from "../model/provider.js"
import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/gitlab.js"
import { urlBelow } from "../provider-kit/options.js"

/** The profile that GitLab returns. */
export interface GitLabProfile extends ServiceProfile {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly email: string
  readonly avatar_url: string
  readonly state: string
  readonly sub?: string | null
}

export interface GitLabOptions {
  /** The URL of a self-managed instance. @default "https://gitlab.com" */
  readonly baseUrl?: string | URL
}

/**
 * Sign in with GitLab, using OAuth 2.0.
 *
 * 1. Register an application at https://gitlab.com/-/user_settings/applications with the callback URL
 *    `https://<your site>/auth/callback/gitlab` (`/api/auth/callback/gitlab` with Next.js).
 * 2. Set `AUTH_GITLAB_ID` and `AUTH_GITLAB_SECRET`.
 *
 * Scope: `read_user`. The user gets a name, an email and an image.
 *
 * - Add the scope `read_user` to the application.
 *
 * @example
 * ```ts
 * import GitLab from "@latchkey/core/providers/gitlab"
 * export const provider = GitLab()
 * ```
 * @see https://docs.gitlab.com/api/oauth2/
 */
const GitLab: ProviderFactory<GitLabProfile, GitLabOptions, "gitlab"> = defineProvider(
  ({ baseUrl = "https://gitlab.com" }) => ({
    id: "gitlab",
    name: "GitLab",
    type: "oauth",
    authorization: urlBelow(baseUrl, "/oauth/authorize?scope=read_user"),
    token: urlBelow(baseUrl, "/oauth/token"),
    userinfo: urlBelow(baseUrl, "/api/v4/user"),
    profile: ({ sub, id, name, username, email, avatar_url }) => ({
      id: sub?.toString() ?? id?.toString(),
      name: name ?? username,
      email,
      image: avatar_url,
    }),
    style: { brandColor: "#FC6D26", icon },
  }),
)

export default GitLab
