import type { RawProfile } from "../model/provider.js"
import { urlBelow } from "../provider-kit/issuer-url.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Webex. */
export interface WebexProfile extends RawProfile {
  readonly id: string
  readonly emails: readonly string[]
  readonly displayName: string
  readonly avatar: string
}

export interface WebexOptions {
  /** Of another Webex, such as that for governments. @default "https://webexapis.com/v1" */
  readonly apiBaseUrl?: string
}

/**
 * Sign-in with Webex, by OAuth 2.
 *
 * Set-up: register an application at Webex with the callback URL `https://<your site>/auth/callback/webex`
 * (`/api/auth/…` under Next.js), and set `AUTH_WEBEX_ID` and `AUTH_WEBEX_SECRET`.
 * Scope: `spark:kms spark:people_read`. The profile gives the name, the e-mail address and a picture.
 *
 * @example
 * ```ts
 * import Webex from "@latchkey/core/providers/webex"
 * export const provider = Webex()
 * ```
 * @see https://developer.webex.com/docs/integrations
 */
const Webex: ProviderFactory<WebexProfile, WebexOptions> = defineProvider<WebexProfile, WebexOptions>(
  ({ apiBaseUrl = "https://webexapis.com/v1" }) => ({
    id: "webex",
    name: "Webex",
    type: "oauth",
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
