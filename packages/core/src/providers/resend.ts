import { bearerJson, keyedSender, type SenderConfig } from "../mail/sender.js"
import type { EmailConfig } from "../model/provider.js"

/** Options of the Resend provider. */
export interface ResendConfig extends SenderConfig {}

/**
 * Sign-in with a link and a code sent through Resend (resend.com/docs/api-reference/emails/send-email).
 *
 * Set up: verify a domain there, make an API key that may send, put it into `AUTH_RESEND_KEY`, and set `from` to an
 * address of that domain. Needs an adapter. The callback is `<base>/callback/resend`.
 *
 * @example
 * ```ts
 * import resend from "@latchkey/core/providers/resend"
 * export const provider = resend({ from: "Acme <hello@acme.example>" })
 * ```
 */
export default function resend(config: ResendConfig = {}): EmailConfig {
  return keyedSender({ id: "resend", name: "Resend" }, config, ({ apiKey, from, to, subject, html, text }) =>
    bearerJson("https://api.resend.com/emails", apiKey, { from, to, subject, html, text }),
  )
}
