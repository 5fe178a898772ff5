import { AuthError } from "../../errors.js"
import type { MailText, MessageOptions } from "../../model/email-message.js"
import type { EmailConfig, EmailProvider, EmailUserConfig, VerificationRequest } from "../../model/email-provider.js"
import { systemRuntime } from "../../primitives/runtime.js"
import { variableName } from "../variable-name.js"
import { type Mailbox, oneRecipient, parseMailbox } from "./mailbox.js"
import { messageFor } from "./message.js"
import { type Delivery, deliver } from "./post.js"

/** Options of every email provider that uses an HTTP API. */
export interface SenderConfig extends EmailUserConfig, MessageOptions {
  /** URL of another endpoint, such as a proxy: https, or http on this machine. @default the API of the service */
  readonly endpoint?: string | undefined
}

/** An email with everything that a service may need. */
export interface OutgoingMail extends MailText {
  /** Email of the recipient, without a display name. */
  readonly to: string
  /** The configured sender. @default `no-reply@` and the host of the link */
  readonly from: string
  /** {@link OutgoingMail.from}, parsed. */
  readonly sender: Mailbox
  readonly url: string
  readonly code: string | undefined
  readonly provider: EmailProvider
}

/** An email for a service with an API key. */
export type KeyedMail = OutgoingMail & { readonly apiKey: string }

export type ServiceRequest = Pick<Delivery, "endpoint" | "headers" | "body">

/** A provider that sends its emails through a service with an API key. */
export function keyedSender<Id extends string>(
  facts: Pick<EmailConfig, "id" | "name">,
  config: SenderConfig & { readonly id?: Id | undefined },
  toRequest: (mail: KeyedMail) => ServiceRequest,
): EmailConfig & { readonly id: Id } {
  return sender(facts, config, (mail) => toRequest({ ...mail, apiKey: keyOf(mail.provider) }))
}

/** A provider that sends its emails through an HTTP API. */
export function sender<Id extends string>(
  facts: Pick<EmailConfig, "id" | "name">,
  config: SenderConfig & { readonly id?: Id | undefined },
  toRequest: (mail: OutgoingMail) => ServiceRequest,
): EmailConfig & { readonly id: Id } {
  const service = { defaults: { ...facts, fetch: systemRuntime.fetch }, endpoint: config.endpoint, toRequest }
  return {
    ...facts,
    // The default of `Id` is that of the facts, and an id in the options replaces it.
    id: facts.id as Id,
    type: "email",
    sendVerificationRequest: async (request) => send(service, request, await messageFor(request, config)),
    sendAccountEmail: async (message) => send(service, message, await message.provider.compose(message)),
    options: config,
  }
}

interface Service {
  /** For a provider object of the application, with no more than what Auth.js v5 needs. */
  readonly defaults: Pick<EmailProvider, "id" | "name" | "fetch">
  readonly endpoint: string | undefined
  readonly toRequest: (mail: OutgoingMail) => ServiceRequest
}

type Message = Pick<VerificationRequest, "identifier" | "url" | "code" | "provider"> & { readonly token?: string }

async function send(service: Service, message: Message, text: MailText): Promise<void> {
  const { identifier, url, code, token } = message
  const provider = { ...service.defaults, ...message.provider }
  const from = provider.from?.trim() || `no-reply@${new URL(url).hostname}`
  const to = oneRecipient(identifier)
  const mail = { ...text, to, from, sender: parseMailbox(from), url, code, provider }
  const { endpoint, ...content } = service.toRequest(mail)
  await deliver({
    ...content,
    service: provider.name,
    endpoint: service.endpoint ?? endpoint,
    fetch: provider.fetch,
    secrets: [provider.apiKey, identifier, token, code, url, mail.text, mail.html],
  })
}

/** Checked before the request, because the service would only respond that access is denied. */
export function keyOf({ id, name, apiKey }: EmailProvider): string {
  const variable = variableName(id, "KEY")
  if (apiKey === undefined || apiKey === "")
    throw new AuthError(`${name} has no API key. Set ${variable} or \`apiKey\`.`)
  // With other characters, `fetch` throws an error that contains the whole header.
  if (/^[\x21-\x7E]+$/.test(apiKey)) return apiKey
  throw new AuthError(
    `The API key of ${name} contains spaces or other invalid characters. Copy it again to ${variable} or \`apiKey\`.`,
  )
}

const jsonType = { "content-type": "application/json" } as const

/** A JSON request with the key as a bearer token (RFC 6750 §2.1). */
export function bearerJson(endpoint: string, apiKey: string, body: object): ServiceRequest {
  return jsonRequest(endpoint, { authorization: `Bearer ${apiKey}` }, body)
}

export function jsonRequest(endpoint: string, headers: Readonly<Record<string, string>>, body: object): ServiceRequest {
  return { endpoint, headers: { ...headers, ...jsonType }, body: JSON.stringify(body) }
}
