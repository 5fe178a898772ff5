import { jsonRequest, keyedSender, type SenderConfig } from "../mail/sender.js"
import type { EmailConfig } from "../model/provider.js"

/** Options of the Forward Email provider. */
export interface ForwardEmailConfig extends SenderConfig {}

/**
 * Sign-in with a link and a code sent through Forward Email (forwardemail.net/en/email-api).
 *
 * Set up: add and verify a domain there with outbound SMTP, put an API token into `AUTH_FORWARDEMAIL_KEY`, and set `from`
 * to an alias of that domain. Needs an adapter. The callback is `<base>/callback/forwardemail`.
 *
 * @example
 * ```ts
 * import forwardemail from "@latchkey/core/providers/forwardemail"
 * export const provider = forwardemail({ from: "Acme <hello@acme.example>" })
 * ```
 */
export default function forwardemail(config: ForwardEmailConfig = {}): EmailConfig {
  return keyedSender(
    { id: "forwardemail", name: "Forward Email" },
    config,
    ({ apiKey, from, to, subject, html, text }) =>
      jsonRequest(
        "https://api.forwardemail.net/v1/emails",
        // The key is the user name; there is no password.
        { authorization: `Basic ${btoa(`${apiKey}:`)}` },
        { from, to, subject, html, text },
      ),
  )
}
