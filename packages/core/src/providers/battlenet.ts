import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** Claims of an ID token of Battle.net. */
export interface BattleNetProfile extends RawProfile {
  readonly sub: string
  readonly battle_tag: string
}

/**
 * Sign-in with Battle.net, by OpenID Connect.
 *
 * Set-up: register an application at Battle.net with the callback URL `https://<your site>/auth/callback/battlenet`
 * (`/api/auth/…` under Next.js), and set `AUTH_BATTLENET_ID`, `AUTH_BATTLENET_SECRET` and `AUTH_BATTLENET_ISSUER`.
 * The issuer is the address of the region, such as `https://oauth.battle.net`.
 * Scope: `openid profile email`. The profile gives the name, but no e-mail address and no picture.
 *
 * - No e-mail is ever returned.
 * - Only openid is a documented identity scope; the extra profile and email of the default scope are ignored or
 *   refused depending on region.
 *
 * @example
 * ```ts
 * import BattleNet from "@latchkey/core/providers/battlenet"
 * export const provider = BattleNet({ issuer: "https://oauth.battle.net" })
 * ```
 * @see https://develop.battle.net/documentation/guides/using-oauth
 */
const BattleNet: ProviderFactory<BattleNetProfile> = defineProvider<BattleNetProfile>({
  id: "battlenet",
  name: "Battle.net",
  type: "oidc",
  profile: ({ sub, battle_tag }) => ({ id: sub, name: battle_tag, email: null, image: null }),
  style: { brandColor: "#148eff" },
})

export default BattleNet
