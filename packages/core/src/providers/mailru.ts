import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "./define.js"

/** The signed-in person, as known to Mail.ru. */
export interface MailruProfile extends RawProfile {
  readonly id?: string
  readonly client_id?: string
  readonly name?: string | null
  readonly nickname?: string | null
  readonly email?: string
  readonly image?: string
  readonly sub?: string | null
  readonly preferred_username?: string | null
  readonly picture?: string | null
}

/**
 * Sign-in with Mail.ru, by OAuth 2.
 *
 * Set-up: register an application at Mail.ru with the callback URL `https://<your site>/auth/callback/mailru`
 * (`/api/auth/…` under Next.js), and set `AUTH_MAILRU_ID` and `AUTH_MAILRU_SECRET`.
 * Scope: `userinfo`. The profile is made of the standard claims.
 *
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
  profile: ({ sub, id, name, nickname, preferred_username, email, picture, image }) => ({
    id: sub ?? id,
    name: name ?? nickname ?? preferred_username,
    email,
    image: picture ?? image,
  }),
})

export default Mailru
