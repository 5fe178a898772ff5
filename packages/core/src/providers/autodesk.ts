import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/autodesk.js"

/** The profile that Autodesk returns. */
export interface AutodeskProfile extends ServiceProfile {
  readonly sub: string
  readonly name?: string | null
  readonly email: string
  readonly picture: string
  readonly preferred_username?: string | null
}

/**
 * Sign in with Autodesk, using OpenID Connect.
 *
 * 1. Register an application at https://aps.autodesk.com/myapps with the callback URL
 *    `https://<your site>/auth/callback/autodesk` (`/api/auth/callback/autodesk` with Next.js).
 * 2. Set `AUTH_AUTODESK_ID` and `AUTH_AUTODESK_SECRET`.
 *
 * Scope: `openid user-profile:read`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Autodesk from "@latchkey/core/providers/autodesk"
 * export const provider = Autodesk()
 * ```
 * @see https://aps.autodesk.com/en/docs/oauth/v2/developers_guide/overview/
 */
const Autodesk: ProviderFactory<AutodeskProfile, object, "autodesk"> = defineProvider({
  id: "autodesk",
  name: "Autodesk",
  type: "oidc",
  issuer: "https://developer.api.autodesk.com",
  authorization: { params: { scope: "openid user-profile:read" } },
  checks: ["pkce", "state"],
  client: { token_endpoint_auth_method: "client_secret_basic" },
  idToken: false,
  profile: ({ sub, name, preferred_username, email, picture }) => ({
    id: sub,
    name: name ?? preferred_username,
    email,
    image: picture,
  }),
  style: { brandColor: "#000", icon },
})

export default Autodesk
