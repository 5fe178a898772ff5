import type { EmailConfig } from "../model/email-provider.js"
import { jsonRequest, keyedSender, type SenderConfig } from "../provider-kit/email/sender.js"

/** Options of the Postmark provider. */
export interface PostmarkConfig extends SenderConfig {
  /** The message stream to send through. @default "outbound" */
  readonly messageStream?: string | undefined
}

/**
 * Sign in with a link or code sent by email through Postmark.
 *
 * 1. Create a server in Postmark and confirm a sender signature or a domain.
 * 2. Set `AUTH_POSTMARK_KEY` to the server's API token.
 * 3. Set `from` to a confirmed sender.
 *
 * Requires an adapter. There is no callback URL to register.
 *
 * @example
 * ```ts
 * import Postmark from "@latchkey/core/providers/postmark"
 * export const provider = Postmark({ from: "Acme <hello@acme.example>" })
 * ```
 * @see https://postmarkapp.com/developer/api/email-api
 */
export default function Postmark<const Id extends string = "postmark">(
  config: PostmarkConfig & { readonly id?: Id | undefined } = {},
): EmailConfig & { readonly id: Id } {
  return keyedSender({ id: "postmark", name: "Postmark" }, config, ({ apiKey, from, to, subject, html, text }) =>
    jsonRequest(
      "https://api.postmarkapp.com/email",
      { accept: "application/json", "x-postmark-server-token": apiKey },
      {
        From: from,
        To: to,
        Subject: subject,
        TextBody: text,
        HtmlBody: html,
        MessageStream: config.messageStream ?? "outbound",
      },
    ),
  )
}
