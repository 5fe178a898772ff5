import { formatMailbox } from "../mail/mailbox.js"
import { keyedSender, type SenderConfig } from "../mail/sender.js"
import type { EmailConfig } from "../model/provider.js"

/** Options of the Mailgun provider. */
export interface MailgunConfig extends SenderConfig {
  /** Where the sending domain was made. @default "US" */
  readonly region?: "US" | "EU" | undefined
}

const hosts = { US: "api.mailgun.net", EU: "api.eu.mailgun.net" } as const

/**
 * Sign-in with a link and a code sent through Mailgun (documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages).
 *
 * Set up: add a sending domain there, put its sending key into `AUTH_MAILGUN_KEY`, and set `from` to an address of that
 * domain: messages go out from the domain in it. Without a display name in `from` the `name` of the provider is shown.
 * Needs an adapter. The callback is `<base>/callback/mailgun`.
 *
 * @example
 * ```ts
 * import mailgun from "@latchkey/core/providers/mailgun"
 * export const provider = mailgun({ from: "Acme <hello@mail.acme.example>", region: "EU" })
 * ```
 */
export default function mailgun(config: MailgunConfig = {}): EmailConfig {
  const base = `https://${hosts[config.region ?? "US"]}/v3`
  return keyedSender(
    { id: "mailgun", name: "Mailgun" },
    config,
    ({ apiKey, sender, to, subject, html, text, provider }) => {
      const domain = encodeURIComponent(sender.address.slice(sender.address.indexOf("@") + 1))
      const body = new FormData()
      const from = formatMailbox({ ...sender, name: sender.name ?? provider.name })
      for (const [name, value] of Object.entries({ from, to, subject, html, text })) body.append(name, value)
      return {
        endpoint: `${base}/${domain}/messages`,
        headers: { authorization: `Basic ${btoa(`api:${apiKey}`)}` },
        body,
      }
    },
  )
}
