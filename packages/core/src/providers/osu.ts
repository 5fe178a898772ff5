import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/osu.js"

/** The profile that osu! returns. */
export interface OsuProfile extends ServiceProfile {
  readonly id: number
  readonly username: string
  readonly avatar_url: string
}

/**
 * Sign in with osu!, using OAuth 2.0.
 *
 * 1. Register an application at https://osu.ppy.sh/home/account/edit#oauth with the callback URL
 *    `https://<your site>/auth/callback/osu` (`/api/auth/callback/osu` with Next.js).
 * 2. Set `AUTH_OSU_ID` and `AUTH_OSU_SECRET`.
 *
 * Scope: `identify`. The user gets a name and an image, but no email.
 *
 * @example
 * ```ts
 * import Osu from "@latchkey/core/providers/osu"
 * export const provider = Osu()
 * ```
 * @see https://osu.ppy.sh/docs/index.html#authentication
 */
const Osu: ProviderFactory<OsuProfile, object, "osu"> = defineProvider({
  id: "osu",
  name: "osu!",
  type: "oauth",
  style: { icon },
  authorization: "https://osu.ppy.sh/oauth/authorize?scope=identify",
  token: "https://osu.ppy.sh/oauth/token",
  userinfo: "https://osu.ppy.sh/api/v2/me",
  profile: ({ id, username, avatar_url }) => ({
    id: String(id),
    email: null,
    name: username,
    image: avatar_url,
  }),
})

export default Osu

export type OsuUserCompact = OsuProfile
