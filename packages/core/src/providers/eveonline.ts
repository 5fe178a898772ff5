import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to EVE Online. */
export interface EVEOnlineProfile extends RawProfile {
  readonly CharacterID: number
  readonly CharacterName: string
  readonly ExpiresOn: string
  readonly Scopes: string
  readonly TokenType: string
  readonly CharacterOwnerHash: string
}

/**
 * Sign-in with EVE Online, by OAuth 2.
 *
 * Set-up: register an application at EVE Online with the callback URL `https://<your site>/auth/callback/eveonline`
 * (`/api/auth/…` under Next.js), and set `AUTH_EVEONLINE_ID` and `AUTH_EVEONLINE_SECRET`.
 * Scope: `publicData`. The profile gives the name and a picture, but no e-mail address.
 *
 * - The picture is that of the character.
 * - The /oauth/verify userinfo call was declared deprecated by CCP in 2021; the access token itself is a JWT (sub
 *   CHARACTER:EVE:{id}, name) verifiable with the published JWKS.
 *
 * @example
 * ```ts
 * import EVEOnline from "@latchkey/core/providers/eveonline"
 * export const provider = EVEOnline()
 * ```
 * @see https://developers.eveonline.com/docs/services/sso/
 */
const EVEOnline: ProviderFactory<EVEOnlineProfile> = defineProvider<EVEOnlineProfile>({
  id: "eveonline",
  name: "EVE Online",
  type: "oauth",
  authorization: { url: "https://login.eveonline.com/v2/oauth/authorize", params: { scope: "publicData" } },
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
