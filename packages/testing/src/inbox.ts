import type { AddressInfo } from "node:net"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"
import { knowLink } from "./secrets.js"

/** A mail that arrived. */
export interface Message {
  /** The address of the `From` header, without the name. */
  readonly from: string
  /** The recipients of the SMTP envelope: where the mail really went. */
  readonly to: readonly string[]
  /** The addresses of the `To` header: what the reader sees. */
  readonly headerTo: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The first http(s) URL of the text, or of the HTML if there is no text. */
  readonly link: string | undefined
  readonly headers: readonly { readonly name: string; readonly value: string }[]
}

/** A fault of the mail server: an SMTP reply, for example `{ code: 451, text: "Try again later" }`. */
export interface SmtpFault {
  /** 400–499 for now, 500–599 for good. */
  readonly code: number
  readonly text: string
}

/** What the server does instead of accepting. Both may wait as long as they like before they answer. */
export interface InboxOptions {
  /** Port on 127.0.0.1. Default 0: a free one. */
  readonly port?: number
  /** Asked for every recipient; a fault refuses it. */
  onRecipient?(address: string): Awaitable<SmtpFault | undefined>
  /** Asked when a mail has arrived; a fault refuses it, and it is not kept. */
  onMessage?(message: Message): Awaitable<SmtpFault | undefined>
}

type Awaitable<T> = T | PromiseLike<T>

/** A mail server that keeps what it gets. */
export interface Inbox {
  /** `smtp://127.0.0.1:<port>`; any user name and password are accepted, none are needed. */
  readonly url: string
  readonly port: number
  readonly messages: readonly Message[]
  /**
   * The first message, old or new, that fits.
   *
   * @param timeout milliseconds; default 2000
   * @throws Error when none came in time
   */
  waitFor(fits?: (message: Message) => boolean, timeout?: number): Promise<Message>
  close(): Promise<void>
}

interface Waiter {
  readonly fits: (message: Message) => boolean
  readonly found: (message: Message) => void
}

/**
 * Starts an SMTP server on loopback.
 *
 * @example
 * ```ts
 * import { openInbox } from "@latchkey/testing"
 * const inbox = await openInbox()
 * console.log(inbox.url, inbox.messages.length)
 * await inbox.close()
 * ```
 */
export async function openInbox(options: InboxOptions = {}): Promise<Inbox> {
  const messages: Message[] = []
  const waiters = new Set<Waiter>()
  const server = createServer(options, (message) => {
    messages.push(message)
    for (const waiter of waiters) if (waiter.fits(message)) waiter.found(message)
  })
  const port = await listen(server, options.port ?? 0)
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    messages,
    waitFor: (fits = () => true, timeout = 2000) => waitFor(messages, waiters, fits, timeout),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

function waitFor(
  messages: readonly Message[],
  waiters: Set<Waiter>,
  fits: Waiter["fits"],
  timeout: number,
): Promise<Message> {
  const known = messages.find(fits)
  if (known !== undefined) return Promise.resolve(known)
  return new Promise((resolve, reject) => {
    const waiter: Waiter = { fits, found: (message) => settle(() => resolve(message)) }
    const giveUp = () => reject(new Error(`No such mail came in ${timeout} ms; ${messages.length} other(s) did`))
    const timer = setTimeout(() => settle(giveUp), timeout)
    const settle = (end: () => void) => {
      clearTimeout(timer)
      waiters.delete(waiter)
      end()
    }
    waiters.add(waiter)
  })
}

function createServer(options: InboxOptions, keep: (message: Message) => void): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: ({ username }, _session, answer) => answer(null, { user: username ?? "anyone" }),
    onRcptTo: ({ address }, _session, answer) => {
      reply(async () => await options.onRecipient?.(address), answer)
    },
    onData: (stream, session, answer) => {
      reply(() => receive(options, stream, session, keep), answer)
    },
  })
}

/** Turns a fault, or what a test's own function throws, into an SMTP reply. */
function reply(work: () => Promise<SmtpFault | undefined>, answer: (problem?: Error | null) => void): void {
  work().then(
    (fault) => answer(fault === undefined ? null : Object.assign(new Error(fault.text), { responseCode: fault.code })),
    (problem: unknown) => answer(problem instanceof Error ? problem : new Error("The mail server failed")),
  )
}

async function receive(
  options: InboxOptions,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
  keep: (message: Message) => void,
): Promise<SmtpFault | undefined> {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  const email = await PostalMime.parse(Buffer.concat(parts))
  const message = messageFrom(
    email,
    envelope.rcptTo.map(({ address }) => address),
  )
  knowLink(message.link)
  const fault = await options.onMessage?.(message)
  if (fault === undefined) keep(message)
  return fault
}

function messageFrom(email: Email, to: readonly string[]): Message {
  const { from, subject = "", text = "", html = "", headers } = email
  return {
    from: from?.address ?? "",
    to,
    headerTo: (email.to ?? []).map(({ address = "" }) => address),
    subject,
    text,
    html,
    link: firstLink(text) ?? firstLink(html.replaceAll("&amp;", "&")),
    headers: headers.map(({ key, value }) => ({ name: key, value })),
  }
}

function firstLink(text: string): string | undefined {
  return /https?:\/\/[^\s<>"']+/.exec(text)?.[0]
}

function listen(server: SMTPServer, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => {
      // Connections that a client breaks off are no fault of the test.
      server.on("error", () => undefined)
      resolve(portOf(server.server.address()) ?? port)
    })
  })
}

function portOf(address: AddressInfo | string | null): number | undefined {
  return typeof address === "object" && address !== null ? address.port : undefined
}
