import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Coinbase. */
export interface CoinbaseProfile extends RawProfile {
  readonly data: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly avatar_url: string
  }
}

/**
 * Sign-in with Coinbase, by OAuth 2.
 *
 * Set-up: register an application at Coinbase with the callback URL `https://<your site>/auth/callback/coinbase`
 * (`/api/auth/…` under Next.js), and set `AUTH_COINBASE_ID` and `AUTH_COINBASE_SECRET`.
 * Scope: `wallet:user:email wallet:user:read`. The profile gives the name, the e-mail address and a picture.
 *
 * - Access tokens last two hours; refresh tokens are single use.
 *
 * @example
 * ```ts
 * import Coinbase from "@latchkey/core/providers/coinbase"
 * export const provider = Coinbase()
 * ```
 * @see https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/integrations
 */
const Coinbase: ProviderFactory<CoinbaseProfile> = defineProvider<CoinbaseProfile>({
  id: "coinbase",
  name: "Coinbase",
  type: "oauth",
  authorization: {
    url: "https://login.coinbase.com/oauth2/auth",
    params: { scope: "wallet:user:email wallet:user:read" },
  },
  token: "https://login.coinbase.com/oauth2/token",
  userinfo: "https://api.coinbase.com/v2/user",
  profile: ({ data }) => ({ id: data.id, name: data.name, email: data.email, image: data.avatar_url }),
  style: { brandColor: "#0052ff" },
})

export default Coinbase
