import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/zoom.js"

/** The profile that Zoom returns. */
export interface ZoomProfile extends ServiceProfile {
  readonly id: string
  readonly first_name: string
  readonly last_name: string
  readonly display_name: string
  readonly email: string
  readonly pic_url: string
}

/**
 * Sign in with Zoom, using OAuth 2.0.
 *
 * 1. Register an application at https://marketplace.zoom.us with the callback URL
 *    `https://<your site>/auth/callback/zoom` (`/api/auth/callback/zoom` with Next.js).
 * 2. Set `AUTH_ZOOM_ID` and `AUTH_ZOOM_SECRET`.
 *
 * The settings of your application decide the scope. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Zoom from "@latchkey/core/providers/zoom"
 * export const provider = Zoom()
 * ```
 * @see https://developers.zoom.us/docs/integrations/oauth/
 */
const Zoom: ProviderFactory<ZoomProfile, object, "zoom"> = defineProvider({
  id: "zoom",
  name: "Zoom",
  type: "oauth",
  authorization: "https://zoom.us/oauth/authorize?scope",
  token: "https://zoom.us/oauth/token",
  userinfo: "https://api.zoom.us/v2/users/me",
  profile: ({ id, first_name, last_name, email, pic_url }) => ({
    id,
    name: `${first_name} ${last_name}`,
    email,
    image: pic_url,
  }),
  style: { brandColor: "#0b5cff", icon },
})

export default Zoom
