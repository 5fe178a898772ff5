import { AuthError } from "../errors.js"
import type { EmailConfig, EmailUserConfig, VerificationRequest } from "../model/provider.js"
import type { EmailProvider } from "../model/resolved-provider.js"
import { variableName } from "../providers/variable-name.js"
import type { MailText, MessageOptions } from "./content.js"
import { type Mailbox, mailboxOf, oneRecipient } from "./mailbox.js"
import { messageFor } from "./message.js"
import { deliver, type Delivery } from "./post.js"

/** Options of every sender that speaks HTTP. */
export interface SenderConfig extends EmailUserConfig, MessageOptions {
  /** Another address of the service, such as a proxy's: https, or http on this machine. @default the service's own */
  readonly endpoint?: string | undefined
}

/** A message with everything that a service may want. */
export interface OutgoingMail extends MailText {
  /** One plain address. */
  readonly to: string
  /** As configured, checked to be one sender. @default `no-reply@` the host of the link */
  readonly from: string
  readonly sender: Mailbox
  readonly url: string
  readonly code: string | undefined
  readonly provider: EmailProvider
}

/** A message to a service that wants a key. */
export type KeyedMail = OutgoingMail & { readonly apiKey: string }

export type Parcel = Pick<Delivery, "endpoint" | "headers" | "body">

/** A provider that hands its messages to a service with a key. */
export function keyedSender(
  facts: Pick<EmailConfig, "id" | "name">,
  config: SenderConfig,
  pack: (mail: KeyedMail) => Parcel,
): EmailConfig {
  return sender(facts, config, (mail) => pack({ ...mail, apiKey: keyOf(mail.provider) }))
}

/** A provider that hands its messages to something that speaks HTTP. */
export function sender(
  facts: Pick<EmailConfig, "id" | "name">,
  config: SenderConfig,
  pack: (mail: OutgoingMail) => Parcel,
): EmailConfig {
  return {
    ...facts,
    type: "email",
    sendVerificationRequest: (request) => send(request, config, pack),
    options: config,
  }
}

async function send(
  request: VerificationRequest,
  config: SenderConfig,
  pack: (mail: OutgoingMail) => Parcel,
): Promise<void> {
  const { identifier, url, code, token, provider } = request
  const from = provider.from?.trim() || `no-reply@${new URL(url).hostname}`
  const to = oneRecipient(identifier)
  const mail = { ...(await messageFor(request, config)), to, from, sender: mailboxOf(from), url, code, provider }
  const { endpoint, ...parcel } = pack(mail)
  await deliver({
    ...parcel,
    service: provider.name,
    endpoint: config.endpoint ?? endpoint,
    fetch: provider.fetch,
    secrets: [provider.apiKey, identifier, token, code, url, mail.text, mail.html],
  })
}

/** Looked at before the request: a service would only say that somebody is not allowed. */
export function keyOf({ id, name, apiKey }: EmailProvider): string {
  const variable = variableName(id, "KEY")
  if (apiKey === undefined || apiKey === "")
    throw new AuthError(`${name} has no API key: set ${variable} or \`apiKey\``)
  // What no header can carry would be named, key and all, by the error of `fetch`.
  if (/^[\x21-\x7E]+$/.test(apiKey)) return apiKey
  throw new AuthError(
    `The API key of ${name} has characters that no key has: copy it again to ${variable} or \`apiKey\``,
  )
}

const jsonType = { "content-type": "application/json" } as const

/** What most services want: JSON, and the key as a bearer token (RFC 6750 §2.1). */
export function bearerJson(endpoint: string, apiKey: string, body: object): Parcel {
  return jsonParcel(endpoint, { authorization: `Bearer ${apiKey}` }, body)
}

export function jsonParcel(endpoint: string, headers: Readonly<Record<string, string>>, body: object): Parcel {
  return { endpoint, headers: { ...headers, ...jsonType }, body: JSON.stringify(body) }
}
