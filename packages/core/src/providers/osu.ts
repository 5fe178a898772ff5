import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to osu!. */
export interface OsuProfile extends RawProfile {
  readonly id: number
  readonly username: string
  readonly avatar_url: string
}

/**
 * Sign-in with osu!, by OAuth 2.
 *
 * Set-up: register an application at osu! with the callback URL `https://<your site>/auth/callback/osu`
 * (`/api/auth/…` under Next.js), and set `AUTH_OSU_ID` and `AUTH_OSU_SECRET`.
 * Scope: `identify`. The profile gives the name and a picture, but no e-mail address.
 *
 * @example
 * ```ts
 * import Osu from "@latchkey/core/providers/osu"
 * export const provider = Osu()
 * ```
 * @see https://osu.ppy.sh/docs/index.html#authentication
 */
const Osu: ProviderFactory<OsuProfile> = defineProvider<OsuProfile>({
  id: "osu",
  name: "osu!",
  type: "oauth",
  authorization: { url: "https://osu.ppy.sh/oauth/authorize", params: { scope: "identify" } },
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
