import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The profile that Concept2 returns. */
export interface Concept2Profile extends ServiceProfile {
  readonly data: {
    readonly id: number
    readonly username: string
    readonly email: string
    readonly profile_image: string
  }
}

/**
 * Sign in with Concept2, using OAuth 2.0.
 *
 * 1. Register an application at https://log.concept2.com/developers/keys with the callback URL
 *    `https://<your site>/auth/callback/concept2` (`/api/auth/callback/concept2` with Next.js).
 * 2. Set `AUTH_CONCEPT2_ID` and `AUTH_CONCEPT2_SECRET`.
 *
 * Scope: `user:read,results:write`. The user gets a name, an email and an image.
 *
 * - Separate scopes with commas.
 *
 * @example
 * ```ts
 * import Concept2 from "@latchkey/core/providers/concept2"
 * export const provider = Concept2()
 * ```
 * @see https://log.concept2.com/developers/documentation/
 */
const Concept2: ProviderFactory<Concept2Profile, object, "concept2"> = defineProvider({
  id: "concept2",
  name: "Concept2",
  type: "oauth",
  authorization: { url: "https://log.concept2.com/oauth/authorize", params: { scope: "user:read,results:write" } },
  token: "https://log.concept2.com/oauth/access_token",
  userinfo: "https://log.concept2.com/api/users/me",
  profile: ({ data }) => ({
    id: String(data.id),
    name: data.username,
    email: data.email,
    image: data.profile_image,
  }),
})

export default Concept2
