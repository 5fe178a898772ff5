import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, valueAt } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/anilist.js"

/** The profile that AniList returns. */
export interface AniListProfile extends ServiceProfile {
  readonly id: number
  readonly name: string
  readonly avatar?: { readonly large?: string | null } | null
}

const query = "query { Viewer { id name avatar { large } } }"

/**
 * Sign in with AniList, using OAuth 2.0.
 *
 * 1. Register an application at https://anilist.co/settings/developer with the callback URL
 *    `https://<your site>/auth/callback/anilist` (`/api/auth/callback/anilist` with Next.js).
 * 2. Set `AUTH_ANILIST_ID` and `AUTH_ANILIST_SECRET`.
 *
 * The user gets a name and an image, but no email.
 *
 * - AniList has no scopes and no refresh tokens. Access tokens last a year.
 *
 * @example
 * ```ts
 * import AniList from "@latchkey/core/providers/anilist"
 * export const provider = AniList()
 * ```
 * @see https://docs.anilist.co/guide/auth/
 */
const AniList: ProviderFactory<AniListProfile, object, "anilist"> = defineProvider({
  id: "anilist",
  name: "AniList",
  type: "oauth",
  authorization: "https://anilist.co/api/v2/oauth/authorize",
  token: "https://anilist.co/api/v2/oauth/token",
  userinfo: {
    url: "https://graphql.anilist.co",
    request: async (context) =>
      valueAt(await fetchJson(context, "https://graphql.anilist.co", { json: { query } }), "data", "Viewer"),
  },
  checks: ["state"],
  client: { token_endpoint_auth_method: "client_secret_basic" },
  profile: ({ id, name, avatar }) => ({ id: String(id), name, email: null, image: avatar?.large ?? null }),
  style: { brandColor: "#02a9ff", icon },
})

export default AniList
