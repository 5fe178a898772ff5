import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Mail.ru. */
export interface MailruProfile extends RawProfile {
  readonly id?: string
  readonly client_id?: string
  readonly name?: string
  readonly nickname?: string
  readonly email?: string
  readonly image?: string
}

/**
 * Sign-in with Mail.ru, by OAuth 2.
 *
 * Set-up: register an application at Mail.ru with the callback URL `https://<your site>/auth/callback/mailru`
 * (`/api/auth/…` under Next.js), and set `AUTH_MAILRU_ID` and `AUTH_MAILRU_SECRET`.
 * Scope: `userinfo`. The profile is made of the standard claims.
 *
 * - The picture stands in `image`: `profile` of your own can take it from there.
 * - Mail.ru documents userinfo with access_token as a query parameter.
 *
 * @example
 * ```ts
 * import Mailru from "@latchkey/core/providers/mailru"
 * export const provider = Mailru()
 * ```
 * @see https://o2.mail.ru/docs/
 */
const Mailru: ProviderFactory<MailruProfile> = defineProvider<MailruProfile>({
  id: "mailru",
  name: "Mail.ru",
  type: "oauth",
  authorization: { url: "https://oauth.mail.ru/login", params: { scope: "userinfo" } },
  token: "https://oauth.mail.ru/token",
  userinfo: "https://oauth.mail.ru/userinfo",
})

export default Mailru
