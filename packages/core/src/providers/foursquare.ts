import type { ServiceProfile } from "../model/provider.js"
import type { TokenSet } from "../model/user.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, urlComponent } from "../provider-kit/fetch-json.js"

/** The profile that Foursquare returns. */
export interface FoursquareProfile extends ServiceProfile {
  readonly response: {
    readonly user: {
      readonly id: string
      readonly firstName: string
      readonly lastName: string
      readonly contact: { readonly email: string }
      readonly photo?: { readonly prefix: string; readonly suffix: string } | null
    }
  }
}

export interface FoursquareOptions {
  /** The version of the API, as `YYYYMMDD`. @default "20230131" */
  readonly apiVersion?: string
}

/**
 * Sign in with Foursquare, using OAuth 2.0.
 *
 * 1. Register an application at https://foursquare.com/developers/home with the callback URL
 *    `https://<your site>/auth/callback/foursquare` (`/api/auth/callback/foursquare` with Next.js).
 * 2. Set `AUTH_FOURSQUARE_ID` and `AUTH_FOURSQUARE_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Foursquare from "@latchkey/core/providers/foursquare"
 * export const provider = Foursquare()
 * ```
 * @see https://docs.foursquare.com/developer/reference/authentication
 */
const Foursquare: ProviderFactory<FoursquareProfile, FoursquareOptions, "foursquare"> = defineProvider(
  ({ apiVersion = "20230131" }) => ({
    id: "foursquare",
    name: "Foursquare",
    type: "oauth",
    authorization: "https://foursquare.com/oauth2/authenticate?scope=openid%20profile%20email",
    token: "https://foursquare.com/oauth2/access_token",
    userinfo: {
      url: `https://api.foursquare.com/v2/users/self?v=${apiVersion}`,
      request: (context) =>
        fetchJson(context, withToken(`https://api.foursquare.com/v2/users/self?v=${apiVersion}`, context.tokens), {
          headers: { authorization: undefined },
        }),
    },
    profile: ({ response }) => ({
      id: response.user.id,
      name: `${response.user.firstName} ${response.user.lastName}`,
      email: response.user.contact.email,
      image: response.user.photo ? `${response.user.photo.prefix}original${response.user.photo.suffix}` : null,
    }),
    style: { brandColor: "#000" },
  }),
)

export default Foursquare

function withToken(url: string, { access_token: token }: TokenSet): string {
  return `${url}&oauth_token=${urlComponent(token)}`
}
