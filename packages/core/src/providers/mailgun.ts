import type { EmailConfig } from "../model/email-provider.js"
import { formatMailbox } from "../provider-kit/email/mailbox.js"
import { keyedSender, type SenderConfig } from "../provider-kit/email/sender.js"

/** Options of the Mailgun provider. */
export interface MailgunConfig extends SenderConfig {
  /** The region the sending domain was created in. @default "US" */
  readonly region?: "US" | "EU" | undefined
}

const hosts = { US: "api.mailgun.net", EU: "api.eu.mailgun.net" } as const

/**
 * Sign in with a link or code sent by email through Mailgun.
 *
 * 1. Add and verify a sending domain in Mailgun.
 * 2. Set `AUTH_MAILGUN_KEY` to its sending key.
 * 3. Set `from` to an email address of that domain. If it has no display name, messages show the `name` of the
 *    provider.
 *
 * Requires an adapter. There is no callback URL to register.
 *
 * @example
 * ```ts
 * import MailGun from "@latchkey/core/providers/mailgun"
 * export const provider = MailGun({ from: "Acme <hello@mail.acme.example>", region: "EU" })
 * ```
 * @see https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
 */
export default function MailGun<const Id extends string = "mailgun">(
  config: MailgunConfig & { readonly id?: Id | undefined } = {},
): EmailConfig & { readonly id: Id } {
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
