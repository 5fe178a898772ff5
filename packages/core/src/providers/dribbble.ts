import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Dribbble. */
export interface DribbbleProfile extends RawProfile {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly avatar_url: string
}

export interface DribbbleOptions {
  /** @default "public" */
  readonly scope?: "public" | "public upload"
}

/**
 * Sign-in with Dribbble, by OAuth 2.
 *
 * Set-up: register an application at Dribbble with the callback URL `https://<your site>/auth/callback/dribbble`
 * (`/api/auth/…` under Next.js), and set `AUTH_DRIBBBLE_ID` and `AUTH_DRIBBBLE_SECRET`.
 * Scope: `public`. The profile gives the name, the e-mail address and a picture.
 *
 * @example
 * ```ts
 * import Dribbble from "@latchkey/core/providers/dribbble"
 * export const provider = Dribbble()
 * ```
 * @see https://developer.dribbble.com/v2/oauth/
 */
const Dribbble: ProviderFactory<DribbbleProfile, DribbbleOptions> = defineProvider<DribbbleProfile, DribbbleOptions>(
  ({ scope = "public" }) => ({
    id: "dribbble",
    name: "Dribbble",
    type: "oauth",
    authorization: { url: "https://dribbble.com/oauth/authorize", params: { scope } },
    token: "https://dribbble.com/oauth/token",
    userinfo: "https://api.dribbble.com/v2/user",
    profile: ({ id, name, email, avatar_url }) => ({ id: String(id), name, email, image: avatar_url }),
    style: { brandColor: "#000" },
  }),
)

export default Dribbble
