import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/mailru.js"

/** The profile that Mail.ru returns. */
export interface MailruProfile extends ServiceProfile {
  readonly id?: string
  readonly client_id?: string
  readonly name?: string
  readonly nickname?: string
  readonly email?: string
  readonly image?: string
}

/**
 * Sign in with Mail.ru, using OAuth 2.0.
 *
 * 1. Register an application at https://o2.mail.ru/app/ with the callback URL
 *    `https://<your site>/auth/callback/mailru` (`/api/auth/callback/mailru` with Next.js).
 * 2. Set `AUTH_MAILRU_ID` and `AUTH_MAILRU_SECRET`.
 *
 * Scope: `userinfo`. The user gets a name and an email, but no image.
 *
 * - Mail.ru sends the image as `image`. To use it, write your own `profile`.
 *
 * @example
 * ```ts
 * import Mailru from "@latchkey/core/providers/mailru"
 * export const provider = Mailru()
 * ```
 * @see https://o2.mail.ru/docs/
 */
const Mailru: ProviderFactory<MailruProfile, object, "mailru"> = defineProvider({
  id: "mailru",
  name: "Mail.ru",
  type: "oauth",
  style: { icon },
  authorization: "https://oauth.mail.ru/login?scope=userinfo",
  token: "https://oauth.mail.ru/token",
  userinfo: "https://oauth.mail.ru/userinfo",
})

export default Mailru
