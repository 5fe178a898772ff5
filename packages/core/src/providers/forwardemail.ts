import type { EmailConfig } from "../model/email-provider.js"
import { jsonRequest, keyedSender, type SenderConfig } from "../provider-kit/email/sender.js"

/** Options of the Forward Email provider. */
export interface ForwardEmailConfig extends SenderConfig {}

/**
 * Sign in with a link or code sent by email through Forward Email.
 *
 * 1. Add and verify a domain with outbound SMTP in Forward Email.
 * 2. Set `AUTH_FORWARDEMAIL_KEY` to an API token of your account.
 * 3. Set `from` to an alias of that domain.
 *
 * Requires an adapter. There is no callback URL to register.
 *
 * @example
 * ```ts
 * import ForwardEmail from "@latchkey/core/providers/forwardemail"
 * export const provider = ForwardEmail({ from: "Acme <hello@acme.example>" })
 * ```
 * @see https://forwardemail.net/en/email-api
 */
export default function ForwardEmail<const Id extends string = "forwardemail">(
  config: ForwardEmailConfig & { readonly id?: Id | undefined } = {},
): EmailConfig & { readonly id: Id } {
  return keyedSender(
    { id: "forwardemail", name: "Forward Email" },
    config,
    ({ apiKey, from, to, subject, html, text }) =>
      jsonRequest(
        "https://api.forwardemail.net/v1/emails",
        // The API token is the user name, and the password is empty.
        { authorization: `Basic ${btoa(`${apiKey}:`)}` },
        { from, to, subject, html, text },
      ),
  )
}
