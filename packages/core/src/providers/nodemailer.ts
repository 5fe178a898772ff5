import { AuthError, EmailSignInError } from "../errors.js"
import type { Theme } from "../model/config.js"
import type { EmailConfig, EmailUserConfig, VerificationRequest } from "../model/provider.js"

/** What is sent; the recipient is an object, so that a comma in an address cannot add another one. */
export interface MailMessage {
  readonly to: { readonly address: string }
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Anything that can send: a Nodemailer transporter, or an object of your own. */
export interface MailTransport {
  sendMail(message: MailMessage): PromiseLike<unknown>
}

/** `server`: an SMTP URL, options for `createTransport`, a transport plugin, or something with `sendMail`. */
export type NodemailerUserConfig = Omit<EmailUserConfig, "server"> & {
  readonly server?: string | MailTransport | Readonly<Record<string, unknown>> | undefined
}

/** Milliseconds that a person waits at most for the mail server. */
const patience = 10_000

/**
 * Sign-in with a link sent over SMTP by the optional peer `nodemailer`, loaded at the first message.
 * Without `from` the sender is `no-reply@` the host of the link.
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
    sendVerificationRequest: (request) => send(request, transports),
    options: config,
  }
}

async function send(request: VerificationRequest, transports: Map<unknown, Promise<MailTransport>>): Promise<void> {
  const { identifier, provider, theme, url } = request
  const from = provider.from ?? `no-reply@${new URL(url).hostname}`
  const message = { to: { address: identifier }, from, ...signInMessage(url, theme) }
  const transport = await transportFor(provider.server, transports)
  const result = await withinPatience(transport.sendMail(message))
  if (refusedSome(result)) {
    throw new EmailSignInError(
      "The mail server did not take the message for its recipient: look into the log of the mail server",
    )
  }
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

async function withinPatience<T>(work: PromiseLike<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new EmailSignInError("The mail server did not answer within 10 seconds: check its address and port"))
    }, patience)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function refusedSome(result: unknown): boolean {
  return ["rejected", "pending"].some((key) => {
    const addresses = member(result, key)
    return Array.isArray(addresses) && addresses.length > 0
  })
}

/** The message of spec/pages.md: it names the site and never the address it goes to. */
export function signInMessage(url: string, theme: Theme): Pick<MailMessage, "subject" | "text" | "html"> {
  const { host } = new URL(url)
  const subject = `Sign in to ${host}`
  return { subject, text: `${subject}\n${url}\n\n`, html: body(url, host, theme) }
}

function body(url: string, host: string, theme: Theme): string {
  const background = theme.brandColor || "#346df1"
  const color = theme.buttonText || "#fff"
  // A zero-width space before each dot keeps mail programs from turning the host into a second link.
  const shown = host.replaceAll(".", "\u200b.")
  return html`<body style="margin:0;background:#f6f7f9;font-family:Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:560px;background:#fff;border-radius:12px">
<tr><td align="center" style="padding:32px 24px 8px;font-size:21px;color:#3c4149">Sign in to <strong>${shown}</strong></td></tr>
<tr><td align="center" style="padding:24px"><a href="${url}" target="_blank" style="display:inline-block;padding:12px 24px;border-radius:6px;background:${background};color:${color};font-size:17px;font-weight:bold;text-decoration:none">Sign in</a></td></tr>
<tr><td align="center" style="padding:8px 24px 32px;font-size:15px;line-height:22px;color:#5b6270">You did not ask for this? Ignore the message: without a click nobody is signed in.</td></tr>
</table></td></tr></table></body>`
}

/** Escapes every value, so that no text can become markup. */
function html(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts.reduce((done, text, index) => done + escape(values[index - 1] ?? "") + text)
}

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
  ["\u200b", "&#8203;"],
])

function escape(text: string): string {
  return text.replace(/[&<>"'\u200b]/g, (character) => entities.get(character) ?? character)
}
