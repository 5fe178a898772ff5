import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, valueAt } from "../provider-kit/fetch-json.js"

/** The signed-in person, as known to Notion. */
export interface NotionProfile extends RawProfile {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly avatar_url: string
  readonly person: { readonly email: string }
}

export interface NotionOptions {
  /** Where Notion is to send people back. Default: the callback URL. */
  readonly redirectUri?: string
}

const headers = { "notion-version": "2022-06-28" }

/**
 * Sign-in with Notion, by OAuth 2.
 *
 * Set-up: register an application at Notion with the callback URL `https://<your site>/auth/callback/notion`
 * (`/api/auth/…` under Next.js), and set `AUTH_NOTION_ID` and `AUTH_NOTION_SECRET`.
 * Scope: `openid profile email`. The profile gives the name, the e-mail address and a picture.
 *
 * - The token belongs to a bot; the person is its owner.
 *
 * @example
 * ```ts
 * import Notion from "@latchkey/core/providers/notion"
 * export const provider = Notion()
 * ```
 * @see https://developers.notion.com/docs/authorization
 */
const Notion: ProviderFactory<NotionProfile, NotionOptions> = defineProvider<NotionProfile, NotionOptions>(
  ({ redirectUri }) => ({
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
    style: { brandColor: "#000" },
  }),
)

export default Notion
