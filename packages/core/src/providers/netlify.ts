import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Netlify. */
export interface NetlifyProfile extends RawProfile {
  readonly id: string
  readonly full_name: string
  readonly email: string
  readonly avatar_url: string
}

/**
 * Sign-in with Netlify, by OAuth 2.
 *
 * Set-up: register an application at Netlify with the callback URL `https://<your site>/auth/callback/netlify`
 * (`/api/auth/…` under Next.js), and set `AUTH_NETLIFY_ID` and `AUTH_NETLIFY_SECRET`.
 * The scope is left to what the application was registered with. The profile gives the name, the e-mail address and
 * a picture.
 *
 * @example
 * ```ts
 * import Netlify from "@latchkey/core/providers/netlify"
 * export const provider = Netlify()
 * ```
 * @see https://docs.netlify.com/api/get-started/#authentication
 */
const Netlify: ProviderFactory<NetlifyProfile> = defineProvider<NetlifyProfile>({
  id: "netlify",
  name: "Netlify",
  type: "oauth",
  authorization: { url: "https://app.netlify.com/authorize", params: { scope: "" } },
  token: "https://api.netlify.com/oauth/token",
  userinfo: "https://api.netlify.com/api/v1/user",
  profile: ({ id, full_name, email, avatar_url }) => ({ id, name: full_name, email, image: avatar_url }),
  style: { brandColor: "#32e6e2" },
})

export default Netlify
