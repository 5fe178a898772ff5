import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Spotify. */
export interface SpotifyProfile extends RawProfile {
  readonly id: string
  readonly display_name: string
  readonly email: string
  readonly images: readonly { readonly url: string; readonly height?: number | null; readonly width?: number | null }[]
  readonly country?: string
  readonly product?: string
  readonly uri?: string
}

/**
 * Sign-in with Spotify, by OAuth 2.
 *
 * Set-up: register an application at Spotify with the callback URL `https://<your site>/auth/callback/spotify`
 * (`/api/auth/…` under Next.js), and set `AUTH_SPOTIFY_ID` and `AUTH_SPOTIFY_SECRET`.
 * Scope: `user-read-email`. The profile gives the name, the e-mail address and a picture.
 *
 * - Since March 2026 apps in development mode get no e-mail from /v1/me and may have few users; extended-quota apps
 *   are unaffected.
 * - Loopback redirect URLs must use 127.0.0.1, not localhost.
 *
 * @example
 * ```ts
 * import Spotify from "@latchkey/core/providers/spotify"
 * export const provider = Spotify()
 * ```
 * @see https://developer.spotify.com/documentation/web-api/tutorials/code-flow
 */
const Spotify: ProviderFactory<SpotifyProfile> = defineProvider<SpotifyProfile>({
  id: "spotify",
  name: "Spotify",
  type: "oauth",
  authorization: { url: "https://accounts.spotify.com/authorize", params: { scope: "user-read-email" } },
  token: "https://accounts.spotify.com/api/token",
  userinfo: "https://api.spotify.com/v1/me",
  profile: ({ id, display_name, email, images }) => ({
    id,
    name: display_name,
    email,
    image: images?.[0]?.url,
  }),
  style: { brandColor: "#1db954" },
})

export default Spotify
