import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, urlComponent } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/bungie.js"

/** The profile that Bungie returns. */
export interface BungieProfile extends ServiceProfile {
  readonly Response: {
    readonly bungieNetUser: {
      readonly membershipId: string
      readonly displayName: string
      readonly profilePicturePath: string
    }
  }
}

export interface BungieOptions {
  /** The API key of the application, sent with every API request. @default `AUTH_BUNGIE_KEY` */
  readonly apiKey?: string
}

/**
 * Sign in with Bungie, using OAuth 2.0.
 *
 * 1. Register an application at https://www.bungie.net/en/Application with the callback URL
 *    `https://<your site>/auth/callback/bungie` (`/api/auth/callback/bungie` with Next.js).
 * 2. Set `AUTH_BUNGIE_ID`, `AUTH_BUNGIE_SECRET` and the API key, `AUTH_BUNGIE_KEY`.
 *
 * Scope: `openid profile email`. The user gets a name and an image, but no email.
 *
 * - Bungie accepts https callback URLs only, and not on localhost.
 * - Choose what the application can read when you register it.
 *
 * @example
 * ```ts
 * import Bungie from "@latchkey/core/providers/bungie"
 * export const provider = Bungie()
 * ```
 * @see https://github.com/Bungie-net/api/wiki/OAuth-Documentation
 */
const Bungie: ProviderFactory<BungieProfile, BungieOptions, "bungie"> = defineProvider(({ apiKey = "" }) => ({
  id: "bungie",
  name: "Bungie",
  type: "oauth",
  style: { icon },
  authorization: "https://www.bungie.net/en/OAuth/Authorize?reauth=true&scope=openid%20profile%20email",
  token: "https://www.bungie.net/platform/app/oauth/token/",
  userinfo: {
    url: "https://www.bungie.net/platform/User/GetBungieAccount",
    request: (context) =>
      fetchJson(context, `${context.provider.userinfo.url}/${urlComponent(context.tokens["membership_id"])}/254/`, {
        headers: { "x-api-key": apiKey },
      }),
  },
  profile: ({ Response: { bungieNetUser: user } }) => ({
    id: user.membershipId,
    name: user.displayName,
    email: null,
    image: new URL(user.profilePicturePath, "https://www.bungie.net").href,
  }),
}))

export default Bungie
