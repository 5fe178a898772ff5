import { AuthError } from "../errors.js"
import type { EmailConfig } from "../model/email-provider.js"
import { jsonRequest, keyOf, type OutgoingMail, sender, type SenderConfig } from "../provider-kit/email/sender.js"

export type { OutgoingMail, SenderConfig }

/** Options of the provider for any service with an HTTP API. */
export interface HttpEmailConfig extends SenderConfig {
  /** Required. The URL that messages are posted to: https, or http on a loopback host. */
  readonly endpoint?: string | undefined
  /** Extra request headers. `authorization` replaces the default, which is `Bearer` and the API key if there is one. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The request body. An object is sent as JSON. @default `{ from, to, subject, text, html }` */
  readonly body?: ((mail: OutgoingMail) => object | FormData | URLSearchParams) | undefined
}

/**
 * Sign in with a link or code sent by email through any service with an HTTP API: one `POST` for each message.
 *
 * 1. Set `endpoint`, and `body` if the service expects different fields.
 * 2. Set `AUTH_HTTP_EMAIL_KEY` if the service requires an API key.
 *
 * Any status from 200 to 299 is a success. Requires an adapter. There is no callback URL to register.
 *
 * @example
 * ```ts
 * import HttpEmail from "@latchkey/core/providers/http-email"
 * export const provider = HttpEmail({
 *   endpoint: "https://mail.example/v1/send",
 *   from: "Acme <hello@acme.example>",
 *   body: ({ to, from, subject, text, html }) => ({ sender: from, recipients: [to], subject, content: { text, html } }),
 * })
 * ```
 * @see https://developer.mozilla.org/en-US/docs/Web/API/Fetch_API
 */
export default function HttpEmail<const Id extends string = "http-email">(
  config: HttpEmailConfig & { readonly id?: Id | undefined } = {},
): EmailConfig & { readonly id: Id } {
  const { endpoint, headers = {}, body = defaultBody } = config
  return sender({ id: "http-email", name: "Email" }, config, (mail) => {
    if (!endpoint)
      throw new AuthError("The provider http-email has no `endpoint`. Set it to the URL that messages are posted to.")
    const authorization: Record<string, string> = mail.provider.apiKey
      ? { authorization: `Bearer ${keyOf(mail.provider)}` }
      : {}
    const all = { ...authorization, ...lowerCase(headers) }
    const content = body(mail)
    const isForm = content instanceof FormData || content instanceof URLSearchParams
    return isForm ? { endpoint, headers: all, body: content } : jsonRequest(endpoint, all, content)
  })
}

function defaultBody({ from, to, subject, text, html }: OutgoingMail): object {
  return { from, to, subject, text, html }
}

/** Prevents a header from being sent twice in two spellings. */
function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
