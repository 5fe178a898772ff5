import { AuthError, EmailSignInError } from "../errors.js"
import type { MailText, MessageOptions } from "../model/email-message.js"
import type { EmailConfig, EmailUserConfig, VerificationRequest } from "../model/email-provider.js"
import { within } from "../primitives/runtime.js"
import { parseMailbox } from "../provider-kit/email/mailbox.js"
import { messageFor } from "../provider-kit/email/message.js"

export type * from "../model/email-message.js"

/** A message to send. The recipient is an object, so that a comma in an email address can't add another recipient. */
export interface MailMessage extends MailText {
  readonly to: { readonly address: string }
  readonly from: string
}

/** A Nodemailer transporter, or your own object with `sendMail`. */
export interface MailTransport {
  sendMail(message: MailMessage): PromiseLike<unknown>
}

/** Options of the Nodemailer provider. */
export type NodemailerUserConfig = Omit<EmailUserConfig, "server"> &
  MessageOptions & {
    /** Required. An SMTP URL, options or a plugin for Nodemailer's `createTransport`, or an object with `sendMail`. */
    readonly server?: string | MailTransport | Readonly<Record<string, unknown>> | undefined
  }

/** How long a sign-in request waits for the mail server. */
const timeoutMs = 10_000

/**
 * Sign in with a link or code sent by email over SMTP, through the package `nodemailer`.
 *
 * 1. Install `nodemailer` 7.0.7 or later. It's loaded when the first message is sent.
 * 2. Set `server` to your mail server.
 * 3. Set `from` to an email address the mail server accepts. The default is `no-reply@<host>`, with the host of the
 *    link.
 *
 * Requires an adapter. There is no callback URL to register.
 *
 * @throws AuthError when it sends a message without `server`
 * @example
 * ```ts
 * import Nodemailer from "@latchkey/core/providers/nodemailer"
 * export const provider = Nodemailer({ server: "smtp://localhost:1025", from: "Acme <hello@acme.example>" })
 * ```
 * @see https://nodemailer.com/smtp/
 */
export default function Nodemailer<const Id extends string = "nodemailer">(
  config: NodemailerUserConfig & { readonly id?: Id | undefined } = {},
): EmailConfig & { readonly id: Id } {
  const transports = new Map<unknown, Promise<MailTransport>>()
  return {
    // An id in the options replaces it.
    id: "nodemailer" as Id,
    name: "Nodemailer",
    type: "email",
    server: config.server,
    sendVerificationRequest: async (request) => send(request, await messageFor(request, config), transports),
    sendAccountEmail: async (message) => send(message, await message.provider.compose(message), transports),
    options: config,
  }
}

async function send(
  { identifier, provider, url }: Pick<VerificationRequest, "identifier" | "provider" | "url">,
  text: MailText,
  transports: Map<unknown, Promise<MailTransport>>,
): Promise<void> {
  const from = provider.from?.trim() || `no-reply@${new URL(url).hostname}`
  // Throws if `from` holds a second sender or a line break, which could add a header.
  parseMailbox(from)
  const message = { to: { address: identifier }, from, ...text }
  const transport = await transportFor(provider.server, transports)
  const result = await within(timeoutMs, transport.sendMail(message), late)
  if (refusedSome(result)) {
    throw new EmailSignInError("The mail server rejected the recipient. Its log has the reason.")
  }
}

function late(): never {
  throw new EmailSignInError("The mail server did not answer within 10 seconds. Check its host and port in `server`.")
}

/** One transport per server, because a transport may hold a pool of connections. */
function transportFor(server: unknown, transports: Map<unknown, Promise<MailTransport>>): Promise<MailTransport> {
  const known = transports.get(server)
  if (known !== undefined) return known
  const made = isTransport(server) ? Promise.resolve(server) : createTransport(server)
  transports.set(server, made)
  made.catch(() => transports.delete(server))
  return made
}

async function createTransport(server: unknown): Promise<MailTransport> {
  // Not earlier, because frameworks load the configuration for a build, which has no environment variables.
  if (!server)
    throw new AuthError("Nodemailer has no mail server. Set `server` to an SMTP URL, options or a transport.")
  const peer = await loadPeer()
  const transport = peer?.(server)
  if (!isTransport(transport))
    throw new AuthError("The installed version of `nodemailer` is too old. Install version 7.0.7 or later.")
  return transport
}

async function loadPeer(): Promise<((server: unknown) => unknown) | undefined> {
  try {
    // In `try`, so that a bundler warns about a missing package instead of failing.
    const loaded: unknown = await import("nodemailer")
    return functionIn(loaded) ?? functionIn(member(loaded, "default"))
  } catch (error) {
    throw new AuthError("The package `nodemailer` could not be loaded. Install it in your project.", { err: error })
  }
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

export type NodemailerConfig = EmailConfig
