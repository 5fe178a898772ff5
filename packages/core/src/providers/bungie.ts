import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, urlComponent } from "../provider-kit/fetch-json.js"

/** The signed-in person, as known to Bungie. */
export interface BungieProfile extends RawProfile {
  readonly Response: {
    readonly bungieNetUser: {
      readonly membershipId: string
      readonly displayName: string
      readonly profilePicturePath: string
    }
  }
}

export interface BungieOptions {
  /** Of the Bungie application; every request carries it. Default: `AUTH_BUNGIE_KEY`. */
  readonly apiKey?: string
}

/**
 * Sign-in with Bungie, by OAuth 2.
 *
 * Set-up: register an application at Bungie with the callback URL `https://<your site>/auth/callback/bungie`
 * (`/api/auth/…` under Next.js), and set `AUTH_BUNGIE_ID`, `AUTH_BUNGIE_SECRET` and `AUTH_BUNGIE_KEY`.
 * Scope: `openid profile email`. The profile gives the name and a picture, but no e-mail address.
 *
 * - Callback URLs must be HTTPS, and not on localhost.
 * - What the application may read is chosen at its registration.
 *
 * @example
 * ```ts
 * import Bungie from "@latchkey/core/providers/bungie"
 * export const provider = Bungie()
 * ```
 * @see https://github.com/Bungie-net/api/wiki/OAuth-Documentation
 */
const Bungie: ProviderFactory<BungieProfile, BungieOptions> = defineProvider<BungieProfile, BungieOptions>(
  ({ apiKey = "" }) => ({
    id: "bungie",
    name: "Bungie",
    type: "oauth",
    authorization: {
      url: "https://www.bungie.net/en/OAuth/Authorize",
      params: { reauth: "true", scope: "openid profile email" },
    },
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
  }),
)

export default Bungie
