import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/netlify.js"

/** The profile that Netlify returns. */
export interface NetlifyProfile extends ServiceProfile {
  readonly id: string
  readonly full_name: string
  readonly email: string
  readonly avatar_url: string
}

/**
 * Sign in with Netlify, using OAuth 2.0.
 *
 * 1. Register an application at https://app.netlify.com/user/applications with the callback URL
 *    `https://<your site>/auth/callback/netlify` (`/api/auth/callback/netlify` with Next.js).
 * 2. Set `AUTH_NETLIFY_ID` and `AUTH_NETLIFY_SECRET`.
 *
 * The settings of your application decide the scope. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Netlify from "@latchkey/core/providers/netlify"
 * export const provider = Netlify()
 * ```
 * @see https://docs.netlify.com/api/get-started/#authentication
 */
const Netlify: ProviderFactory<NetlifyProfile, object, "netlify"> = defineProvider({
  id: "netlify",
  name: "Netlify",
  type: "oauth",
  authorization: "https://app.netlify.com/authorize?scope",
  token: "https://api.netlify.com/oauth/token",
  userinfo: "https://api.netlify.com/api/v1/user",
  profile: ({ id, full_name, email, avatar_url }) => ({ id, name: full_name, email, image: avatar_url }),
  style: { brandColor: "#32e6e2", icon },
})

export default Netlify
