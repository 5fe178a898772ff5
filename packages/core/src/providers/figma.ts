import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/figma.js"

/** The profile that Figma returns. */
export interface FigmaProfile extends ServiceProfile {
  readonly id: string
  readonly handle: string
  readonly email: string
  readonly img_url: string
}

/**
 * Sign in with Figma, using OAuth 2.0.
 *
 * 1. Register an application at https://www.figma.com/developers/apps with the callback URL
 *    `https://<your site>/auth/callback/figma` (`/api/auth/callback/figma` with Next.js).
 * 2. Set `AUTH_FIGMA_ID` and `AUTH_FIGMA_SECRET`.
 *
 * Scope: `files:read`. The user gets a name, an email and an image.
 *
 * - The default scope `files:read` is deprecated at Figma. `current_user:read` is enough to sign in.
 *
 * @example
 * ```ts
 * import Figma from "@latchkey/core/providers/figma"
 * export const provider = Figma()
 * ```
 * @see https://developers.figma.com/docs/rest-api/authentication/
 */
const Figma: ProviderFactory<FigmaProfile, object, "figma"> = defineProvider({
  id: "figma",
  name: "Figma",
  type: "oauth",
  authorization: { url: "https://www.figma.com/oauth", params: { scope: "files:read" } },
  token: "https://api.figma.com/v1/oauth/token",
  userinfo: "https://api.figma.com/v1/me",
  checks: ["state"],
  profile: ({ id, handle, email, img_url }) => ({ id, name: handle, email, image: img_url }),
  tokens: { refresh: "https://api.figma.com/v1/oauth/refresh" },
  style: { brandColor: "#ff7237", icon },
})

export default Figma
