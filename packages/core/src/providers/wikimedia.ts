import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Wikimedia. */
export interface WikimediaProfile extends RawProfile {
  readonly sub: string
  readonly username: string
  readonly editcount: number
  readonly confirmed_email: boolean
  readonly email: string
}

/**
 * Sign-in with Wikimedia, by OAuth 2.
 *
 * Set-up: register an application at Wikimedia with the callback URL `https://<your site>/auth/callback/wikimedia`
 * (`/api/auth/…` under Next.js), and set `AUTH_WIKIMEDIA_ID` and `AUTH_WIKIMEDIA_SECRET`.
 * The scope is left to what the application was registered with. The profile gives the name and the e-mail address,
 * but no picture.
 *
 * - e-mail is given only to consumers with that grant.
 * - Wikimedia asks for a descriptive User-Agent on API calls.
 *
 * @example
 * ```ts
 * import Wikimedia from "@latchkey/core/providers/wikimedia"
 * export const provider = Wikimedia()
 * ```
 * @see https://www.mediawiki.org/wiki/OAuth/For_Developers
 */
const Wikimedia: ProviderFactory<WikimediaProfile> = defineProvider<WikimediaProfile>({
  id: "wikimedia",
  name: "Wikimedia",
  type: "oauth",
  authorization: { url: "https://meta.wikimedia.org/w/rest.php/oauth2/authorize", params: { scope: "" } },
  token: "https://meta.wikimedia.org/w/rest.php/oauth2/access_token",
  userinfo: "https://meta.wikimedia.org/w/rest.php/oauth2/resource/profile",
  profile: ({ sub, username, email }) => ({ id: sub, name: username, email, image: null }),
  style: { brandColor: "#000" },
})

export default Wikimedia
