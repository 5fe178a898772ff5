import { AuthError, EmailSignInError } from "../errors.js"
import type { MailText, MessageOptions } from "../mail/content.js"
import { parseMailbox } from "../mail/mailbox.js"
import { messageFor, usualMessage } from "../mail/message.js"
import { languageFor } from "../mail/texts.js"
import type { Theme } from "../model/config.js"
import type { EmailConfig, EmailUserConfig, VerificationRequest } from "../model/provider.js"
import { within } from "../primitives/runtime.js"

export type { MailContent, MailText, MessageOptions } from "../mail/content.js"
export type { MailLanguage, MailLanguages, MailTexts } from "../mail/texts.js"

/** What is sent; the recipient is an object, so that a comma in an address cannot add another one. */
export interface MailMessage extends MailText {
  readonly to: { readonly address: string }
  readonly from: string
}

/** Anything that can send: a Nodemailer transporter, or an object of your own. */
export interface MailTransport {
  sendMail(message: MailMessage): PromiseLike<unknown>
}

/** `server`: an SMTP URL, options for `createTransport`, a transport plugin, or something with `sendMail`. */
export type NodemailerUserConfig = Omit<EmailUserConfig, "server"> &
  MessageOptions & {
    readonly server?: string | MailTransport | Readonly<Record<string, unknown>> | undefined
  }

/** Milliseconds that a person waits at most for the mail server. */
const patience = 10_000

/**
 * Sign-in with a link and a code sent over SMTP by the optional peer `nodemailer`, loaded at the first message
 * (nodemailer.com/smtp). Without `from` the sender is `no-reply@` the host of the link. Needs an adapter.
 *
 * @throws AuthError without `server`, unless `sendVerificationRequest` sends in its place
 * @example
 * ```ts
 * import nodemailer from "@latchkey/core/providers/nodemailer"
 * export const provider = nodemailer({ server: "smtp://localhost:1025", from: "Acme <hello@acme.example>" })
 * ```
 */
export default function nodemailer(config: NodemailerUserConfig): EmailConfig {
  if (!config?.server && !config?.sendVerificationRequest) {
    throw new AuthError("Nodemailer has no mail server: set `server` to an SMTP URL, options or a transport")
  }
  const transports = new Map<unknown, Promise<MailTransport>>()
  return {
    id: "nodemailer",
    name: "Nodemailer",
    type: "email",
    server: config.server,
    sendVerificationRequest: (request) => send(request, config, transports),
    options: config,
  }
}

async function send(
  request: VerificationRequest,
  config: MessageOptions,
  transports: Map<unknown, Promise<MailTransport>>,
): Promise<void> {
  const { identifier, provider, url } = request
  const from = provider.from?.trim() || `no-reply@${new URL(url).hostname}`
  // A second sender or a header would be the developer's doing, and still nobody's wish.
  parseMailbox(from)
  const message = { to: { address: identifier }, from, ...(await messageFor(request, config)) }
  const transport = await transportFor(provider.server, transports)
  const result = await within(patience, transport.sendMail(message), late)
  if (refusedSome(result)) {
    throw new EmailSignInError(
      "The mail server did not take the message for its recipient: look into the log of the mail server",
    )
  }
}

function late(): never {
  throw new EmailSignInError("The mail server did not answer within 10 seconds: check its address and port")
}

/** One transport for each server: a pool of connections must not be made anew for every message. */
function transportFor(server: unknown, transports: Map<unknown, Promise<MailTransport>>): Promise<MailTransport> {
  const known = transports.get(server)
  if (known !== undefined) return known
  const made = isTransport(server) ? Promise.resolve(server) : createTransport(server)
  transports.set(server, made)
  made.catch(() => transports.delete(server))
  return made
}

async function createTransport(server: unknown): Promise<MailTransport> {
  const peer = await loadPeer()
  const transport = peer?.(server)
  if (!isTransport(transport))
    throw new AuthError("The installed `nodemailer` cannot be used: install version 7 or later")
  return transport
}

async function loadPeer(): Promise<((server: unknown) => unknown) | undefined> {
  const loaded: unknown = await import("nodemailer").catch((error: unknown) => {
    throw new AuthError("The package `nodemailer` could not be loaded: install it beside this one", { err: error })
  })
  return functionIn(loaded) ?? functionIn(member(loaded, "default"))
}

function functionIn(exports: unknown): ((server: unknown) => unknown) | undefined {
  const found = member(exports, "createTransport")
  return typeof found === "function" ? (server) => Reflect.apply(found, exports, [server]) : undefined
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined
}

function isTransport(value: unknown): value is MailTransport {
  return typeof member(value, "sendMail") === "function"
}

function refusedSome(result: unknown): boolean {
  return ["rejected", "pending"].some((key) => {
    const addresses = member(result, key)
    return Array.isArray(addresses) && addresses.length > 0
  })
}

/** The built-in message of a link alone, in English (spec/pages.md): it names the site and never the address it goes to. */
export function signInMessage(url: string, theme: Theme): MailText {
  return usualMessage({
    url,
    host: new URL(url).host,
    code: undefined,
    identifier: "",
    linkLasts: undefined,
    codeLasts: undefined,
    theme,
    language: languageFor(null),
  })
}
