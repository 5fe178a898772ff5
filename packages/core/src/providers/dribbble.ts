import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/dribbble.js"

/** The profile that Dribbble returns. */
export interface DribbbleProfile extends ServiceProfile {
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
 * Sign in with Dribbble, using OAuth 2.0.
 *
 * 1. Register an application at https://dribbble.com/account/applications with the callback URL
 *    `https://<your site>/auth/callback/dribbble` (`/api/auth/callback/dribbble` with Next.js).
 * 2. Set `AUTH_DRIBBBLE_ID` and `AUTH_DRIBBBLE_SECRET`.
 *
 * Scope: `public`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Dribbble from "@latchkey/core/providers/dribbble"
 * export const provider = Dribbble()
 * ```
 * @see https://developer.dribbble.com/v2/oauth/
 */
const Dribbble: ProviderFactory<DribbbleProfile, DribbbleOptions, "dribbble"> = defineProvider(
  ({ scope = "public" }) => ({
    id: "dribbble",
    name: "Dribbble",
    type: "oauth",
    authorization: { url: "https://dribbble.com/oauth/authorize", params: { scope } },
    token: "https://dribbble.com/oauth/token",
    userinfo: "https://api.dribbble.com/v2/user",
    profile: ({ id, name, email, avatar_url }) => ({ id: String(id), name, email, image: avatar_url }),
    style: { brandColor: "#000", icon },
  }),
)

export default Dribbble
