import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to MyAnimeList. */
export interface MyAnimeListProfile extends RawProfile {
  readonly id: number
  readonly name: string
  readonly picture?: string | null
}

/**
 * Sign-in with MyAnimeList, by OAuth 2.
 *
 * Set-up: register an application at MyAnimeList with the callback URL `https://<your
 * site>/auth/callback/myanimelist` (`/api/auth/…` under Next.js), and set `AUTH_MYANIMELIST_ID` and
 * `AUTH_MYANIMELIST_SECRET`.
 * The profile gives the name and a picture, but no e-mail address.
 *
 * - PKCE supports only the plain method: the challenge equals the verifier (43–128 characters).
 *
 * @example
 * ```ts
 * import MyAnimeList from "@latchkey/core/providers/myanimelist"
 * export const provider = MyAnimeList()
 * ```
 * @see https://myanimelist.net/apiconfig/references/authorization
 */
const MyAnimeList: ProviderFactory<MyAnimeListProfile> = defineProvider<MyAnimeListProfile>({
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
  style: { brandColor: "#2e51a2" },
})

export default MyAnimeList
