import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/kick.js"

/** The profile that Kick returns. */
export interface KickProfile extends ServiceProfile {
  readonly data: readonly {
    readonly user_id: number
    readonly name: string
    readonly email?: string | null
    readonly profile_picture: string
  }[]
  readonly message: string
}

/**
 * Sign in with Kick, using OAuth 2.0.
 *
 * 1. Register an application at https://kick.com/settings/developer with the callback URL
 *    `https://<your site>/auth/callback/kick` (`/api/auth/callback/kick` with Next.js).
 * 2. Set `AUTH_KICK_ID` and `AUTH_KICK_SECRET`.
 *
 * Scope: `user:read`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Kick from "@latchkey/core/providers/kick"
 * export const provider = Kick()
 * ```
 * @see https://docs.kick.com/getting-started/generating-tokens-oauth2-flow
 */
const Kick: ProviderFactory<KickProfile, object, "kick"> = defineProvider({
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
  style: { brandColor: "#53fc18", icon },
})

export default Kick
