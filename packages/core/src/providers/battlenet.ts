import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/battlenet.js"

/** The claims in an ID token from Battle.net. */
export interface BattleNetProfile extends ServiceProfile {
  readonly sub: string
  readonly battle_tag: string
}

/**
 * Sign in with Battle.net, using OpenID Connect.
 *
 * 1. Register an application at https://develop.battle.net/access/clients with the callback URL
 *    `https://<your site>/auth/callback/battlenet` (`/api/auth/callback/battlenet` with Next.js).
 * 2. Set `AUTH_BATTLENET_ID` and `AUTH_BATTLENET_SECRET`.
 * 3. Set `AUTH_BATTLENET_ISSUER` to the URL of your region, for example `https://oauth.battle.net`.
 *
 * Scope: `openid profile email`. The user gets a name, but no email and no image.
 *
 * - Battle.net never sends an email.
 *
 * @example
 * ```ts
 * import BattleNet from "@latchkey/core/providers/battlenet"
 * export const provider = BattleNet({ issuer: "https://oauth.battle.net" })
 * ```
 * @see https://develop.battle.net/documentation/guides/using-oauth
 */
const BattleNet: ProviderFactory<BattleNetProfile, object, "battlenet"> = defineProvider({
  id: "battlenet",
  name: "Battle.net",
  type: "oidc",
  profile: ({ sub, battle_tag }) => ({ id: sub, name: battle_tag, email: null, image: null }),
  style: { brandColor: "#148eff", icon },
})

export default BattleNet

export type BattleNetIssuer =
  | "https://oauth.battle.net"
  | "https://oauth.battlenet.com.cn"
  | "https://www.battlenet.com.cn/oauth"
  | `https://${"us" | "eu" | "kr" | "tw"}.battle.net/oauth`
