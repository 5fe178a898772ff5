import type { ServiceProfile } from "../model/provider.js"
import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/webex.js"
import { urlBelow } from "../provider-kit/options.js"

/** The profile that Webex returns. */
export interface WebexProfile extends ServiceProfile {
  readonly id: string
  readonly emails: readonly string[]
  readonly displayName: string
  readonly avatar: string
}

export interface WebexOptions {
  /** The API of another Webex, such as Webex for Government. @default "https://webexapis.com/v1" */
  readonly apiBaseUrl?: string
}

/**
 * Sign in with Webex, using OAuth 2.0.
 *
 * 1. Register an application at https://developer.webex.com/my-apps with the callback URL
 *    `https://<your site>/auth/callback/webex` (`/api/auth/callback/webex` with Next.js).
 * 2. Set `AUTH_WEBEX_ID` and `AUTH_WEBEX_SECRET`.
 *
 * Scope: `spark:kms spark:people_read`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Webex from "@latchkey/core/providers/webex"
 * export const provider = Webex()
 * ```
 * @see https://developer.webex.com/docs/integrations
 */
const Webex: ProviderFactory<WebexProfile, WebexOptions, "webex"> = defineProvider(
  ({ apiBaseUrl = "https://webexapis.com/v1" }) => ({
    id: "webex",
    name: "Webex",
    type: "oauth",
    style: { icon },
    authorization: { url: urlBelow(apiBaseUrl, "/authorize"), params: { scope: "spark:kms spark:people_read" } },
    token: urlBelow(apiBaseUrl, "/access_token"),
    userinfo: urlBelow(apiBaseUrl, "/people/me"),
    profile: ({ id, emails, displayName, avatar }) => ({
      id,
      email: emails[0],
      name: displayName,
      image: avatar,
    }),
  }),
)

export default Webex
