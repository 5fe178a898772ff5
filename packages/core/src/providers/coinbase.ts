import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/coinbase.js"

/** The profile that Coinbase returns. */
export interface CoinbaseProfile extends ServiceProfile {
  readonly data: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly avatar_url: string
  }
}

/**
 * Sign in with Coinbase, using OAuth 2.0.
 *
 * 1. Register an application with Coinbase, with the callback URL `https://<your site>/auth/callback/coinbase`
 *    (`/api/auth/callback/coinbase` with Next.js).
 * 2. Set `AUTH_COINBASE_ID` and `AUTH_COINBASE_SECRET`.
 *
 * Scope: `wallet:user:email wallet:user:read`. The user gets a name, an email and an image.
 *
 * - Access tokens last two hours. A refresh token works once.
 *
 * @example
 * ```ts
 * import Coinbase from "@latchkey/core/providers/coinbase"
 * export const provider = Coinbase()
 * ```
 * @see https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/integrations
 */
const Coinbase: ProviderFactory<CoinbaseProfile, object, "coinbase"> = defineProvider({
  id: "coinbase",
  name: "Coinbase",
  type: "oauth",
  authorization: "https://login.coinbase.com/oauth2/auth?scope=wallet:user:email+wallet:user:read",
  token: "https://login.coinbase.com/oauth2/token",
  userinfo: "https://api.coinbase.com/v2/user",
  profile: ({ data }) => ({ id: data.id, name: data.name, email: data.email, image: data.avatar_url }),
  style: { brandColor: "#0052ff", icon },
})

export default Coinbase
