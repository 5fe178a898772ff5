import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/spotify.js"

/** The profile that Spotify returns. */
export interface SpotifyProfile extends ServiceProfile {
  readonly id: string
  readonly display_name: string
  readonly email: string
  readonly images: readonly { readonly url: string; readonly height?: number | null; readonly width?: number | null }[]
  readonly country?: string
  readonly product?: string
  readonly uri?: string
}

/**
 * Sign in with Spotify, using OAuth 2.0.
 *
 * 1. Register an application at https://developer.spotify.com/dashboard with the callback URL
 *    `https://<your site>/auth/callback/spotify` (`/api/auth/callback/spotify` with Next.js).
 * 2. Set `AUTH_SPOTIFY_ID` and `AUTH_SPOTIFY_SECRET`.
 *
 * Scope: `user-read-email`. The user gets a name, an email and an image.
 *
 * - For local development, Spotify accepts 127.0.0.1 but not localhost in the callback URL.
 * - Since March 2026 Spotify sends no email to applications in development mode.
 *
 * @example
 * ```ts
 * import Spotify from "@latchkey/core/providers/spotify"
 * export const provider = Spotify()
 * ```
 * @see https://developer.spotify.com/documentation/web-api/tutorials/code-flow
 */
const Spotify: ProviderFactory<SpotifyProfile, object, "spotify"> = defineProvider({
  id: "spotify",
  name: "Spotify",
  type: "oauth",
  authorization: "https://accounts.spotify.com/authorize?scope=user-read-email",
  token: "https://accounts.spotify.com/api/token",
  userinfo: "https://api.spotify.com/v1/me",
  profile: ({ id, display_name, email, images }) => ({
    id,
    name: display_name,
    email,
    image: images?.[0]?.url,
  }),
  tokens: { hosts: ["api.spotify.com"] },
  style: { brandColor: "#1db954", icon },
})

export default Spotify

export type SpotifyImage = SpotifyProfile["images"][number]
