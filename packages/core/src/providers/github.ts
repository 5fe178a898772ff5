import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "./define.js"
import { ask, type Context, fetchJson } from "./fetch-json.js"

/** The signed-in user of GitHub's API (https://docs.github.com/en/rest/users/users). */
export interface GitHubProfile extends RawProfile {
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
  readonly two_factor_authentication?: boolean
}

export interface GitHubOptions {
  /** An enterprise server, such as `https://github.example.com`. Default: github.com. */
  readonly enterprise?: { readonly baseUrl?: string }
}

const base = ({ enterprise }: GitHubOptions) => enterprise?.baseUrl ?? "https://github.com"
const api = ({ enterprise }: GitHubOptions) =>
  enterprise?.baseUrl === undefined ? "https://api.github.com" : `${enterprise.baseUrl}/api/v3`

/** GitHub accounts. `AUTH_GITHUB_ID` and `AUTH_GITHUB_SECRET` name the client. */
const GitHub: ProviderFactory<GitHubProfile, GitHubOptions> = defineProvider<GitHubProfile, GitHubOptions>(
  (options) => ({
    id: "github",
    name: "GitHub",
    type: "oauth",
    // GitHub may name itself on the way back (RFC 9207).
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
    style: { brandColor: "#24292f" },
  }),
)

export default GitHub

/** A person may hide the address in the profile; the list of addresses has it, with a word on who proved it. */
async function readUser(address: string, context: Context): Promise<unknown> {
  const user = await fetchJson(context, `${address}/user`)
  if (user["email"]) return user
  const emails = await ask(context, `${address}/user/emails`)
  const email = emails.ok ? verifiedEmail(await emails.json()) : undefined
  return email === undefined ? user : { ...user, email, email_verified: true }
}

/** Only an address that its owner has proven counts (spec/complaints.md §1 number 7). */
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
