import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The profile that EVE Online returns. */
export interface EVEOnlineProfile extends ServiceProfile {
  readonly CharacterID: number
  readonly CharacterName: string
  readonly ExpiresOn: string
  readonly Scopes: string
  readonly TokenType: string
  readonly CharacterOwnerHash: string
}

/**
 * Sign in with EVE Online, using OAuth 2.0.
 *
 * 1. Register an application at https://developers.eveonline.com/applications with the callback URL
 *    `https://<your site>/auth/callback/eveonline` (`/api/auth/callback/eveonline` with Next.js).
 * 2. Set `AUTH_EVEONLINE_ID` and `AUTH_EVEONLINE_SECRET`.
 *
 * Scope: `publicData`. The user gets a name and an image, but no email.
 *
 * - The image is the portrait of the character.
 *
 * @example
 * ```ts
 * import EVEOnline from "@latchkey/core/providers/eveonline"
 * export const provider = EVEOnline()
 * ```
 * @see https://developers.eveonline.com/docs/services/sso/
 */
const EVEOnline: ProviderFactory<EVEOnlineProfile, object, "eveonline"> = defineProvider({
  id: "eveonline",
  name: "EVE Online",
  type: "oauth",
  authorization: "https://login.eveonline.com/v2/oauth/authorize?scope=publicData",
  token: "https://login.eveonline.com/v2/oauth/token",
  userinfo: "https://login.eveonline.com/oauth/verify",
  checks: ["state"],
  profile: ({ CharacterID, CharacterName }) => ({
    id: String(CharacterID),
    name: CharacterName,
    email: null,
    image: `https://image.eveonline.com/Character/${CharacterID}_128.jpg`,
  }),
})

export default EVEOnline
