import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/wikimedia.js"

/** The profile that Wikimedia returns. */
export interface WikimediaProfile extends ServiceProfile {
  readonly sub: string
  readonly username: string
  readonly editcount: number
  readonly confirmed_email: boolean
  readonly email: string
}

/**
 * Sign in with Wikimedia, using OAuth 2.0.
 *
 * 1. Register an application at https://meta.wikimedia.org/wiki/Special:OAuthConsumerRegistration with the callback URL
 *    `https://<your site>/auth/callback/wikimedia` (`/api/auth/callback/wikimedia` with Next.js).
 * 2. Set `AUTH_WIKIMEDIA_ID` and `AUTH_WIKIMEDIA_SECRET`.
 *
 * The settings of your application decide the scope. The user gets a name and an email, but no image.
 *
 * - The email is missing unless your application has the grant for it.
 *
 * @example
 * ```ts
 * import Wikimedia from "@latchkey/core/providers/wikimedia"
 * export const provider = Wikimedia()
 * ```
 * @see https://www.mediawiki.org/wiki/OAuth/For_Developers
 */
const Wikimedia: ProviderFactory<WikimediaProfile, object, "wikimedia"> = defineProvider({
  id: "wikimedia",
  name: "Wikimedia",
  type: "oauth",
  authorization: "https://meta.wikimedia.org/w/rest.php/oauth2/authorize?scope=",
  token: "https://meta.wikimedia.org/w/rest.php/oauth2/access_token",
  userinfo: "https://meta.wikimedia.org/w/rest.php/oauth2/resource/profile",
  profile: ({ sub, username, email }) => ({ id: sub, name: username, email, image: null }),
  style: { brandColor: "#000", icon },
})

export default Wikimedia

// The names of groups, grants and rights, which each wiki defines (https://www.mediawiki.org/wiki/Help:User_rights).
export type WikimediaGroup = string
export type WikimediaGrant = string
export type WikimediaRight = string
