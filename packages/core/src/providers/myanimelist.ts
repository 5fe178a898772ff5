import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/myanimelist.js"

/** The profile that MyAnimeList returns. */
export interface MyAnimeListProfile extends ServiceProfile {
  readonly id: number
  readonly name: string
  readonly picture?: string | null
}

/**
 * Sign in with MyAnimeList, using OAuth 2.0.
 *
 * 1. Register an application at https://myanimelist.net/apiconfig with the callback URL
 *    `https://<your site>/auth/callback/myanimelist` (`/api/auth/callback/myanimelist` with Next.js).
 * 2. Set `AUTH_MYANIMELIST_ID` and `AUTH_MYANIMELIST_SECRET`.
 *
 * The user gets a name and an image, but no email.
 *
 * @example
 * ```ts
 * import MyAnimeList from "@latchkey/core/providers/myanimelist"
 * export const provider = MyAnimeList()
 * ```
 * @see https://myanimelist.net/apiconfig/references/authorization
 */
const MyAnimeList: ProviderFactory<MyAnimeListProfile, object, "myanimelist"> = defineProvider({
  id: "myanimelist",
  name: "MyAnimeList",
  type: "oauth",
  authorization: "https://myanimelist.net/v1/oauth2/authorize",
  token: "https://myanimelist.net/v1/oauth2/token",
  userinfo: "https://api.myanimelist.net/v2/users/@me",
  checks: ["pkce", "state"],
  codeChallengeMethod: "plain",
  client: { token_endpoint_auth_method: "client_secret_basic" },
  profile: ({ id, name, picture }) => ({ id: String(id), name, email: null, image: picture ?? null }),
  style: { brandColor: "#2e51a2", icon },
})

export default MyAnimeList
