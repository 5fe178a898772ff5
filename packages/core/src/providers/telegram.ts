import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** Claims of an ID token of Telegram. */
export interface TelegramProfile extends RawProfile {
  readonly sub: string
  readonly id: number
  readonly name?: string | null
  readonly preferred_username: string
  readonly picture?: string | null
}

/**
 * Sign-in with Telegram, by OpenID Connect.
 *
 * Set-up: register an application at Telegram with the callback URL `https://<your site>/auth/callback/telegram`
 * (`/api/auth/…` under Next.js), and set `AUTH_TELEGRAM_ID` and `AUTH_TELEGRAM_SECRET`.
 * Scope: `openid profile`. The profile gives the name and a picture, but no e-mail address.
 *
 * - No userinfo endpoint; everything is in the ID token.
 * - The bot id is the client id; the secret and allowed URLs are set with BotFather.
 * - Scopes phone and telegram:bot_access exist.
 *
 * @example
 * ```ts
 * import Telegram from "@latchkey/core/providers/telegram"
 * export const provider = Telegram()
 * ```
 * @see https://core.telegram.org/bots/telegram-login
 */
const Telegram: ProviderFactory<TelegramProfile> = defineProvider<TelegramProfile>({
  id: "telegram",
  name: "Telegram",
  type: "oidc",
  issuer: "https://oauth.telegram.org",
  authorization: { params: { scope: "openid profile" } },
  checks: ["pkce", "state"],
  client: { token_endpoint_auth_method: "client_secret_basic" },
  profile: ({ sub, name, preferred_username, picture }) => ({
    id: sub,
    name: name ?? preferred_username,
    email: null,
    image: picture ?? null,
  }),
  style: { brandColor: "#2aabee" },
})

export default Telegram
