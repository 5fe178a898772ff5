import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Figma. */
export interface FigmaProfile extends RawProfile {
  readonly id: string
  readonly handle: string
  readonly email: string
  readonly img_url: string
}

/**
 * Sign-in with Figma, by OAuth 2.
 *
 * Set-up: register an application at Figma with the callback URL `https://<your site>/auth/callback/figma`
 * (`/api/auth/…` under Next.js), and set `AUTH_FIGMA_ID` and `AUTH_FIGMA_SECRET`.
 * Scope: `files:read`. The profile gives the name, the e-mail address and a picture.
 *
 * - files:read is a deprecated scope; current_user:read is enough for sign-in.
 * - Refresh uses a different URL (https://api.figma.com/v1/oauth/refresh).
 *
 * @example
 * ```ts
 * import Figma from "@latchkey/core/providers/figma"
 * export const provider = Figma()
 * ```
 * @see https://developers.figma.com/docs/rest-api/authentication/
 */
const Figma: ProviderFactory<FigmaProfile> = defineProvider<FigmaProfile>({
  id: "figma",
  name: "Figma",
  type: "oauth",
  authorization: { url: "https://www.figma.com/oauth", params: { scope: "files:read" } },
  token: "https://api.figma.com/v1/oauth/token",
  userinfo: "https://api.figma.com/v1/me",
  checks: ["state"],
  profile: ({ id, handle, email, img_url }) => ({ id, name: handle, email, image: img_url }),
  style: { brandColor: "#ff7237" },
})

export default Figma
