import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { type Context, fetchApi, fetchJson } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/github.js"

/** The response of https://docs.github.com/en/rest/users/users#get-the-authenticated-user. */
export interface GitHubProfile extends ServiceProfile {
  readonly id: number
  readonly node_id: string
  readonly login: string
  readonly type: string
  readonly site_admin: boolean
  readonly name: string | null
  readonly email: string | null
  readonly avatar_url: string
  readonly gravatar_id: string | null
  readonly url: string
  readonly html_url: string
  readonly followers_url: string
  readonly following_url: string
  readonly gists_url: string
  readonly starred_url: string
  readonly subscriptions_url: string
  readonly organizations_url: string
  readonly repos_url: string
  readonly events_url: string
  readonly received_events_url: string
  readonly company: string | null
  readonly blog: string | null
  readonly location: string | null
  readonly hireable: boolean | null
  readonly bio: string | null
  readonly twitter_username?: string | null
  readonly public_repos: number
  readonly public_gists: number
  readonly followers: number
  readonly following: number
  readonly created_at: string
  readonly updated_at: string
  readonly two_factor_authentication: boolean
}

export interface GitHubOptions {
  /** A GitHub Enterprise Server, such as `https://github.example.com`. @default github.com */
  readonly enterprise?: { readonly baseUrl?: string }
}

const base = ({ enterprise }: GitHubOptions) => enterprise?.baseUrl ?? "https://github.com"
const api = ({ enterprise }: GitHubOptions) =>
  enterprise?.baseUrl === undefined ? "https://api.github.com" : `${enterprise.baseUrl}/api/v3`

/**
 * Sign in with GitHub, over OAuth 2.0.
 *
 * 1. Register an OAuth app at https://github.com/settings/developers with the callback URL
 *    `https://<your site>/auth/callback/github` (with Next.js: `https://<your site>/api/auth/callback/github`).
 * 2. Set `AUTH_GITHUB_ID` and `AUTH_GITHUB_SECRET`.
 *
 * Scope: `read:user user:email`. The user gets a name, an email and an image.
 *
 * - If the user hides their email on their profile, it's read from the list of verified emails.
 *
 * @example
 * ```ts
 * import GitHub from "@latchkey/core/providers/github"
 * export const provider = GitHub()
 * ```
 * @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
const GitHub: ProviderFactory<GitHubProfile, GitHubOptions, "github"> = defineProvider((options) => ({
  id: "github",
  name: "GitHub",
  type: "oauth",
  // GitHub may send `iss` to the callback URL (RFC 9207 §2).
  issuer: `${base(options)}/login/oauth`,
  authorization: { url: `${base(options)}/login/oauth/authorize`, params: { scope: "read:user user:email" } },
  token: `${base(options)}/login/oauth/access_token`,
  userinfo: { url: `${api(options)}/user`, request: (context) => readUser(api(options), context) },
  profile: ({ id, login, name, email, avatar_url }) => ({
    id: String(id),
    name: name ?? login,
    email,
    image: avatar_url,
  }),
  style: { brandColor: "#24292f", icon },
}))

export default GitHub

/** A user can hide their email on their profile. The list of emails has it, and tells which ones are verified. */
async function readUser(apiUrl: string, context: Context): Promise<unknown> {
  const user = await fetchJson(context, `${apiUrl}/user`)
  if (user["email"]) return user
  const emails = await fetchApi(context, `${apiUrl}/user/emails`)
  const email = emails.ok ? verifiedEmail(await emails.json()) : undefined
  return email === undefined ? user : { ...user, email, email_verified: true }
}

/** GitHub also lists emails the user never confirmed, and an attacker could add a victim's. */
function verifiedEmail(list: unknown): string | undefined {
  const entries: readonly unknown[] = Array.isArray(list) ? list : []
  const verified = entries.filter(isEmailEntry).filter((entry) => entry.verified)
  return (verified.find((entry) => entry.primary) ?? verified[0])?.email
}

function isEmailEntry(entry: unknown): entry is { email: string; verified: boolean; primary?: boolean } {
  return (
    typeof entry === "object" &&
    entry !== null &&
    "email" in entry &&
    typeof entry.email === "string" &&
    "verified" in entry &&
    entry.verified === true
  )
}

/** An entry of https://docs.github.com/en/rest/users/emails. */
export interface GitHubEmail {
  readonly email: string
  readonly primary: boolean
  readonly verified: boolean
  readonly visibility: "public" | "private"
}
