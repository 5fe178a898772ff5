import { bearerJson, keyedSender, type SenderConfig } from "../mail/sender.js"
import type { EmailConfig } from "../model/provider.js"

/** Options of the SendGrid provider. */
export interface SendGridConfig extends SenderConfig {
  /** `"EU"` for subusers pinned to Europe. @default "US" */
  readonly region?: "US" | "EU" | undefined
}

const hosts = { US: "api.sendgrid.com", EU: "api.eu.sendgrid.com" } as const

/**
 * Sign-in with a link and a code sent through SendGrid (www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send).
 *
 * Set up: verify a sender there, make an API key with the permission "Mail Send", put it into `AUTH_SENDGRID_KEY`, and
 * set `from` to that sender, with a display name or without. Needs an adapter. The callback is `<base>/callback/sendgrid`.
 *
 * @example
 * ```ts
 * import sendgrid from "@latchkey/core/providers/sendgrid"
 * export const provider = sendgrid({ from: "Acme <hello@acme.example>", region: "EU" })
 * ```
 */
export default function sendgrid(config: SendGridConfig = {}): EmailConfig {
  const endpoint = `https://${hosts[config.region ?? "US"]}/v3/mail/send`
  return keyedSender({ id: "sendgrid", name: "SendGrid" }, config, ({ apiKey, sender, to, subject, html, text }) =>
    bearerJson(endpoint, apiKey, {
      personalizations: [{ to: [{ email: to }] }],
      // The address alone: a display name within it is refused.
      from: { email: sender.address, ...(sender.name !== undefined && { name: sender.name }) },
      subject,
      // The order that the service asks for.
      content: [
        { type: "text/plain", value: text },
        { type: "text/html", value: html },
      ],
    }),
  )
}
