import type { EmailConfig } from "../model/email-provider.js"
import { bearerJson, keyedSender, type SenderConfig } from "../provider-kit/email/sender.js"

/** Options of the Resend provider. */
export interface ResendConfig extends SenderConfig {}

/**
 * Sign in with a link or code sent by email through Resend.
 *
 * 1. Add and verify your domain at https://resend.com/domains.
 * 2. Create an API key with the permission "Sending access" and set `AUTH_RESEND_KEY`.
 * 3. Set `from` to an email address of that domain.
 *
 * Requires an adapter. There is no callback URL to register.
 *
 * @example
 * ```ts
 * import Resend from "@latchkey/core/providers/resend"
 * export const provider = Resend({ from: "Acme <hello@acme.example>" })
 * ```
 * @see https://resend.com/docs/api-reference/emails/send-email
 */
export default function Resend<const Id extends string = "resend">(
  config: ResendConfig & { readonly id?: Id | undefined } = {},
): EmailConfig & { readonly id: Id } {
  return keyedSender({ id: "resend", name: "Resend" }, config, ({ apiKey, from, to, subject, html, text }) =>
    bearerJson("https://api.resend.com/emails", apiKey, { from, to, subject, html, text }),
  )
}
