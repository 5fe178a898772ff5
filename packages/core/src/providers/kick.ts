import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Kick. */
export interface KickProfile extends RawProfile {
  readonly data: readonly {
    readonly user_id: number
    readonly name: string
    readonly email?: string | null
    readonly profile_picture: string
  }[]
  readonly message: string
}

/**
 * Sign-in with Kick, by OAuth 2.
 *
 * Set-up: register an application at Kick with the callback URL `https://<your site>/auth/callback/kick`
 * (`/api/auth/…` under Next.js), and set `AUTH_KICK_ID` and `AUTH_KICK_SECRET`.
 * Scope: `user:read`. The profile gives the name, the e-mail address and a picture.
 *
 * - PKCE is mandatory.
 *
 * @example
 * ```ts
 * import Kick from "@latchkey/core/providers/kick"
 * export const provider = Kick()
 * ```
 * @see https://docs.kick.com/getting-started/generating-tokens-oauth2-flow
 */
const Kick: ProviderFactory<KickProfile> = defineProvider<KickProfile>({
  id: "kick",
  name: "Kick",
  type: "oauth",
  authorization: { url: "https://id.kick.com/oauth/authorize", params: { scope: "user:read" } },
  token: "https://id.kick.com/oauth/token",
  userinfo: "https://api.kick.com/public/v1/users",
  checks: ["pkce", "state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ data }) => ({
    id: String(data[0]?.user_id),
    name: data[0]?.name,
    email: data[0]?.email ?? null,
    image: data[0]?.profile_picture,
  }),
  style: { brandColor: "#53fc18" },
})

export default Kick
