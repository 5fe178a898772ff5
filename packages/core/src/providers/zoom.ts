import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Zoom. */
export interface ZoomProfile extends RawProfile {
  readonly id: string
  readonly first_name: string
  readonly last_name: string
  readonly display_name: string
  readonly email: string
  readonly pic_url: string
}

/**
 * Sign-in with Zoom, by OAuth 2.
 *
 * Set-up: register an application at Zoom with the callback URL `https://<your site>/auth/callback/zoom`
 * (`/api/auth/…` under Next.js), and set `AUTH_ZOOM_ID` and `AUTH_ZOOM_SECRET`.
 * The scope is left to what the application was registered with. The profile gives the name, the e-mail address and
 * a picture.
 *
 * @example
 * ```ts
 * import Zoom from "@latchkey/core/providers/zoom"
 * export const provider = Zoom()
 * ```
 * @see https://developers.zoom.us/docs/integrations/oauth/
 */
const Zoom: ProviderFactory<ZoomProfile> = defineProvider<ZoomProfile>({
  id: "zoom",
  name: "Zoom",
  type: "oauth",
  authorization: { url: "https://zoom.us/oauth/authorize", params: { scope: "" } },
  token: "https://zoom.us/oauth/token",
  userinfo: "https://api.zoom.us/v2/users/me",
  profile: ({ id, first_name, last_name, email, pic_url }) => ({
    id,
    name: `${first_name} ${last_name}`,
    email,
    image: pic_url,
  }),
  style: { brandColor: "#0b5cff" },
})

export default Zoom
