import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/trakt.js"

/** The profile that Trakt returns. */
export interface TraktProfile extends ServiceProfile {
  readonly username: string
  readonly name: string
  readonly ids: { readonly slug: string }
  readonly images: { readonly avatar: { readonly full: string } }
}

/**
 * Sign in with Trakt, using OAuth 2.0.
 *
 * 1. Register an application at https://trakt.tv/oauth/applications with the callback URL
 *    `https://<your site>/auth/callback/trakt` (`/api/auth/callback/trakt` with Next.js).
 * 2. Set `AUTH_TRAKT_ID` and `AUTH_TRAKT_SECRET`.
 *
 * The settings of your application decide the scope. The user gets a name and an image, but no email.
 *
 * - The account id is the user's slug, which the user can change.
 * - Trakt doesn't allow other sites to embed its images.
 *
 * @example
 * ```ts
 * import Trakt from "@latchkey/core/providers/trakt"
 * export const provider = Trakt()
 * ```
 * @see https://trakt.docs.apiary.io/#reference/authentication-oauth
 */
const Trakt: ProviderFactory<TraktProfile, object, "trakt"> = defineProvider({
  id: "trakt",
  name: "Trakt",
  type: "oauth",
  authorization: "https://trakt.tv/oauth/authorize?scope=",
  token: "https://api.trakt.tv/oauth/token",
  userinfo: {
    url: "https://api.trakt.tv/users/me?extended=full",
    request: (context) =>
      fetchJson(context, "https://api.trakt.tv/users/me?extended=full", {
        headers: { "trakt-api-version": "2", "trakt-api-key": context.provider.clientId },
      }),
  },
  profile: ({ ids, name, images }) => ({ id: ids.slug, name, email: null, image: images.avatar.full }),
  style: { brandColor: "#ED2224", icon },
})

export default Trakt

export type TraktUser = TraktProfile
