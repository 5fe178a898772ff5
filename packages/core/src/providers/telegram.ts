import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/telegram.js"

/** The claims in an ID token from Telegram. */
export interface TelegramProfile extends ServiceProfile {
  readonly sub: string
  readonly id: number
  readonly name?: string | null
  readonly preferred_username: string
  readonly picture?: string | null
}

/**
 * Sign in with Telegram, using OpenID Connect.
 *
 * 1. Create a bot with https://t.me/BotFather and allow the callback URL `https://<your site>/auth/callback/telegram`
 *    (`/api/auth/callback/telegram` with Next.js).
 * 2. Set `AUTH_TELEGRAM_ID` and `AUTH_TELEGRAM_SECRET`.
 *
 * Scope: `openid profile`. The user gets a name and an image, but no email.
 *
 * - The client id is the id of the bot. BotFather shows the client secret.
 *
 * @example
 * ```ts
 * import Telegram from "@latchkey/core/providers/telegram"
 * export const provider = Telegram()
 * ```
 * @see https://core.telegram.org/bots/telegram-login
 */
const Telegram: ProviderFactory<TelegramProfile, object, "telegram"> = defineProvider({
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
  style: { brandColor: "#2aabee", icon },
})

export default Telegram
