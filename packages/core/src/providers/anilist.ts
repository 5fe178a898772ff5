import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, valueAt } from "../provider-kit/fetch-json.js"

/** The signed-in person, as known to AniList. */
export interface AniListProfile extends RawProfile {
  readonly id: number
  readonly name: string
  readonly avatar?: { readonly large?: string | null } | null
}

const query = "query { Viewer { id name avatar { large } } }"

/**
 * Sign-in with AniList, by OAuth 2.
 *
 * Set-up: register an application at AniList with the callback URL `https://<your site>/auth/callback/anilist`
 * (`/api/auth/…` under Next.js), and set `AUTH_ANILIST_ID` and `AUTH_ANILIST_SECRET`.
 * The profile gives the name and a picture, but no e-mail address.
 *
 * - Only an access token is issued, with a one-year life.
 * - No scopes exist.
 * - The user comes from a GraphQL query.
 *
 * @example
 * ```ts
 * import AniList from "@latchkey/core/providers/anilist"
 * export const provider = AniList()
 * ```
 * @see https://docs.anilist.co/guide/auth/
 */
const AniList: ProviderFactory<AniListProfile> = defineProvider<AniListProfile>({
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
  style: { brandColor: "#02a9ff" },
})

export default AniList
