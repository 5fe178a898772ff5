import { jsonRequest, keyedSender, type SenderConfig } from "../mail/sender.js"
import type { EmailConfig } from "../model/provider.js"

/** Options of the Postmark provider. */
export interface PostmarkConfig extends SenderConfig {
  /** The stream for transactional messages. @default "outbound" */
  readonly messageStream?: string | undefined
}

/**
 * Sign-in with a link and a code sent through Postmark (postmarkapp.com/developer/api/email-api).
 *
 * Set up: make a server there, confirm a sender signature or a domain, put the server's API token into
 * `AUTH_POSTMARK_KEY`, and set `from`. Needs an adapter. The callback is `<base>/callback/postmark`.
 *
 * @example
 * ```ts
 * import postmark from "@latchkey/core/providers/postmark"
 * export const provider = postmark({ from: "Acme <hello@acme.example>" })
 * ```
 */
export default function postmark(config: PostmarkConfig = {}): EmailConfig {
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
