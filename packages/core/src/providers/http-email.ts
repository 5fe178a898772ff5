import { AuthError } from "../errors.js"
import { jsonRequest, keyOf, type OutgoingMail, sender, type SenderConfig } from "../mail/sender.js"
import type { EmailConfig } from "../model/provider.js"

export type { OutgoingMail, SenderConfig }

/** Options of the provider for any service that takes messages by HTTP. */
export interface HttpEmailConfig extends SenderConfig {
  /** Where messages are posted to: https, or http on this machine. */
  readonly endpoint?: string | undefined
  /** Further headers of the request. With an API key, `authorization` is `Bearer` and the key unless it stands here. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** What is posted; an object is sent as JSON. @default `{ from, to, subject, text, html }` */
  readonly body?: ((mail: OutgoingMail) => object | FormData | URLSearchParams) | undefined
}

/**
 * Sign-in with a link and a code that some service of your choice sends: one `POST` for each message.
 *
 * Set up: name its `endpoint`, put the API key, if it has one, into `AUTH_HTTP_EMAIL_KEY`, and write `body` as it wants
 * its requests. Any status from 200 to 299 is success. Needs an adapter. The callback is `<base>/callback/http-email`.
 *
 * @example
 * ```ts
 * import httpEmail from "@latchkey/core/providers/http-email"
 * export const provider = httpEmail({
 *   endpoint: "https://mail.example/v1/send",
 *   from: "Acme <hello@acme.example>",
 *   body: ({ to, from, subject, text, html }) => ({ sender: from, recipients: [to], subject, content: { text, html } }),
 * })
 * ```
 */
export default function httpEmail(config: HttpEmailConfig = {}): EmailConfig {
  const { endpoint, headers = {}, body = usualBody } = config
  return sender({ id: "http-email", name: "Email" }, config, (mail) => {
    if (!endpoint)
      throw new AuthError("The provider http-email has no `endpoint`: set it to where messages are posted to")
    const authorization: Record<string, string> = mail.provider.apiKey
      ? { authorization: `Bearer ${keyOf(mail.provider)}` }
      : {}
    const all = { ...authorization, ...lowerCase(headers) }
    const content = body(mail)
    const isForm = content instanceof FormData || content instanceof URLSearchParams
    return isForm ? { endpoint, headers: all, body: content } : jsonRequest(endpoint, all, content)
  })
}

function usualBody({ from, to, subject, text, html }: OutgoingMail): object {
  return { from, to, subject, text, html }
}

/** So that one name is not sent twice in two spellings. */
function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
