import type { AddressInfo } from "node:net"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"
import { trackLink } from "./secrets.js"

/** A received email. */
export interface Message {
  /** The email in the `From` header, without the display name. */
  readonly from: string
  /** The recipients in the SMTP envelope, to which the email is delivered. */
  readonly to: readonly string[]
  /** The recipients in the `To` header, which email clients show. */
  readonly headerTo: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The first http or https URL in the text, or else in the HTML. */
  readonly link: string | undefined
  readonly headers: readonly { readonly name: string; readonly value: string }[]
}

/** An SMTP error reply, such as `{ code: 451, text: "Try again later" }`. */
export interface SmtpFault {
  /** 400–499 for a temporary error, 500–599 for a permanent one. */
  readonly code: number
  readonly text: string
}

/** Options of {@link openInbox}. To make the server slow, return a promise from `onRecipient` or `onMessage`. */
export interface InboxOptions {
  /** Port on 127.0.0.1. @default 0, any free port */
  readonly port?: number
  /** Called for each recipient. Return an error to reject the recipient. */
  onRecipient?(email: string): Awaitable<SmtpFault | undefined>
  /** Called for each email. Return an error to reject the email; it isn't added to `messages`. */
  onMessage?(message: Message): Awaitable<SmtpFault | undefined>
}

type Awaitable<T> = T | PromiseLike<T>

/** A local SMTP server that keeps the emails it receives. */
export interface Inbox {
  /** `smtp://127.0.0.1:<port>`. It accepts any user name and password, and connections without them. */
  readonly url: string
  readonly port: number
  /** The accepted emails, oldest first. */
  readonly messages: readonly Message[]
  /**
   * Returns the first email that matches. If there is none yet, waits for it.
   *
   * @param matches default: any email
   * @param timeout in milliseconds; default 2000
   * @throws Error if no email matches in time
   */
  waitFor(matches?: (message: Message) => boolean, timeout?: number): Promise<Message>
  close(): Promise<void>
}

interface Waiter {
  readonly matches: (message: Message) => boolean
  readonly resolve: (message: Message) => void
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
    for (const waiter of waiters) if (waiter.matches(message)) waiter.resolve(message)
  })
  const port = await listen(server, options.port ?? 0)
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    messages,
    waitFor: (matches = () => true, timeout = 2000) => waitFor(messages, waiters, matches, timeout),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

function waitFor(
  messages: readonly Message[],
  waiters: Set<Waiter>,
  matches: Waiter["matches"],
  timeout: number,
): Promise<Message> {
  const received = messages.find(matches)
  if (received !== undefined) return Promise.resolve(received)
  return new Promise((resolve, reject) => {
    const waiter: Waiter = { matches, resolve: (message) => stop(() => resolve(message)) }
    const fail = () => {
      reject(new Error(`No matching email arrived within ${timeout} ms. Other emails received: ${messages.length}.`))
    }
    const timer = setTimeout(() => stop(fail), timeout)
    const stop = (settle: () => void) => {
      clearTimeout(timer)
      waiters.delete(waiter)
      settle()
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

/** Turns a returned or thrown error into an SMTP reply. */
function reply(work: () => Promise<SmtpFault | undefined>, answer: (problem?: Error | null) => void): void {
  work().then(
    (fault) => answer(fault === undefined ? null : Object.assign(new Error(fault.text), { responseCode: fault.code })),
    (problem: unknown) => answer(problem instanceof Error ? problem : new Error("The mail server failed.")),
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
  trackLink(message.link)
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
      // Ignore connections that a client aborts.
      server.on("error", () => undefined)
      resolve(portOf(server.server.address()) ?? port)
    })
  })
}

function portOf(address: AddressInfo | string | null): number | undefined {
  return typeof address === "object" && address !== null ? address.port : undefined
}
