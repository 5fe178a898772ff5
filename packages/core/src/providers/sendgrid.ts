import type { EmailConfig } from "../model/email-provider.js"
import { bearerJson, keyedSender, type SenderConfig } from "../provider-kit/email/sender.js"

/** Options of the SendGrid provider. */
export interface SendGridConfig extends SenderConfig {
  /** The region of your account: `"EU"` for subusers pinned to Europe. @default "US" */
  readonly region?: "US" | "EU" | undefined
}

const hosts = { US: "api.sendgrid.com", EU: "api.eu.sendgrid.com" } as const

/**
 * Sign in with a link or code sent by email through SendGrid.
 *
 * 1. Verify a sender or a domain in SendGrid under Settings > Sender Authentication.
 * 2. Create an API key with the permission "Mail Send" and set `AUTH_SENDGRID_KEY`.
 * 3. Set `from` to that sender, with or without a display name.
 *
 * Requires an adapter. There is no callback URL to register.
 *
 * @example
 * ```ts
 * import SendGrid from "@latchkey/core/providers/sendgrid"
 * export const provider = SendGrid({ from: "Acme <hello@acme.example>", region: "EU" })
 * ```
 * @see https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
 */
export default function SendGrid<const Id extends string = "sendgrid">(
  config: SendGridConfig & { readonly id?: Id | undefined } = {},
): EmailConfig & { readonly id: Id } {
  const endpoint = `https://${hosts[config.region ?? "US"]}/v3/mail/send`
  return keyedSender({ id: "sendgrid", name: "SendGrid" }, config, ({ apiKey, sender, to, subject, html, text }) =>
    bearerJson(endpoint, apiKey, {
      personalizations: [{ to: [{ email: to }] }],
      // SendGrid rejects a display name inside `email`.
      from: { email: sender.address, ...(sender.name !== undefined && { name: sender.name }) },
      subject,
      // SendGrid requires plain text before HTML.
      content: [
        { type: "text/plain", value: text },
        { type: "text/html", value: html },
      ],
    }),
  )
}
