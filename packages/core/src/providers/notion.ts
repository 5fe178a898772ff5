import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, valueAt } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/notion.js"

/** The profile that Notion returns. */
export interface NotionProfile extends ServiceProfile {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly avatar_url: string
  readonly person: { readonly email: string }
}

export interface NotionOptions {
  /** The redirect URI to send to Notion. @default the callback URL */
  readonly redirectUri?: string
}

const headers = { "notion-version": "2022-06-28" }

/**
 * Sign in with Notion, using OAuth 2.0.
 *
 * 1. Create a public integration at https://www.notion.so/profile/integrations with the redirect URI
 *    `https://<your site>/auth/callback/notion` (`/api/auth/callback/notion` with Next.js).
 * 2. Set `AUTH_NOTION_ID` and `AUTH_NOTION_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - The access token belongs to a bot. The user is its owner.
 *
 * @example
 * ```ts
 * import Notion from "@latchkey/core/providers/notion"
 * export const provider = Notion()
 * ```
 * @see https://developers.notion.com/docs/authorization
 */
const Notion: ProviderFactory<NotionProfile, NotionOptions, "notion"> = defineProvider(({ redirectUri }) => ({
  id: "notion",
  name: "Notion",
  type: "oauth",
  authorization: {
    url: "https://api.notion.com/v1/oauth/authorize",
    params: { owner: "user", scope: "openid profile email", redirect_uri: redirectUri },
  },
  token: "https://api.notion.com/v1/oauth/token",
  userinfo: {
    url: "https://api.notion.com/v1/users",
    request: async (context) =>
      valueAt(await fetchJson(context, "https://api.notion.com/v1/users/me", { headers }), "bot", "owner", "user"),
  },
  profile: ({ id, name, person, avatar_url }) => ({ id, name, email: person.email, image: avatar_url }),
  style: { brandColor: "#000", icon },
}))

export default Notion

export interface Person extends ServiceProfile {
  readonly email: string
}

export interface User extends ServiceProfile {
  readonly id: string
  readonly name: string
  readonly avatar_url: string | null
  readonly person: Person
}

export interface Owner {
  readonly type: string
  readonly user: User
}
