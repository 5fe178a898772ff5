import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson } from "../provider-kit/fetch-json.js"

/** The signed-in person, as known to Trakt. */
export interface TraktProfile extends RawProfile {
  readonly username: string
  readonly name: string
  readonly ids: { readonly slug: string }
  readonly images: { readonly avatar: { readonly full: string } }
}

/**
 * Sign-in with Trakt, by OAuth 2.
 *
 * Set-up: register an application at Trakt with the callback URL `https://<your site>/auth/callback/trakt`
 * (`/api/auth/…` under Next.js), and set `AUTH_TRAKT_ID` and `AUTH_TRAKT_SECRET`.
 * The scope is left to what the application was registered with. The profile gives the name and a picture, but no
 * e-mail address.
 *
 * - The id is a name that the person can change.
 * - Pictures may not be embedded from their servers.
 *
 * @example
 * ```ts
 * import Trakt from "@latchkey/core/providers/trakt"
 * export const provider = Trakt()
 * ```
 * @see https://trakt.docs.apiary.io/#reference/authentication-oauth
 */
const Trakt: ProviderFactory<TraktProfile> = defineProvider<TraktProfile>({
  id: "trakt",
  name: "Trakt",
  type: "oauth",
  authorization: { url: "https://trakt.tv/oauth/authorize", params: { scope: "" } },
  token: "https://api.trakt.tv/oauth/token",
  userinfo: {
    url: "https://api.trakt.tv/users/me?extended=full",
    request: (context) =>
      fetchJson(context, "https://api.trakt.tv/users/me?extended=full", {
        headers: { "trakt-api-version": "2", "trakt-api-key": context.provider.clientId },
      }),
  },
  profile: ({ ids, name, images }) => ({ id: ids.slug, name, email: null, image: images.avatar.full }),
  style: { brandColor: "#ED2224" },
})

export default Trakt
