import type { memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import type { AuthConfig, EmailConfig, VerificationRequest } from "@latchkey/core/types"
import type { Browser } from "@latchkey/testing"
import { trackSecret } from "../../../../testing/src/secrets.js"

export const strategies = ["jwt", "database"] as const

/** The options that `security: "strict"` requires. */
export const strict = {
  security: "strict",
  url: "https://app.test/auth",
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
} as const satisfies Partial<AuthConfig>

export type Strategy = (typeof strategies)[number]

/** An email provider that records its messages. */
export interface Mailbox {
  readonly provider: EmailConfig
  readonly sent: readonly VerificationRequest[]
  /** The link of the newest message, or of the nth. */
  link(at?: number): string
}

export function mailbox(overrides: Partial<EmailConfig> = {}): Mailbox {
  const sent: VerificationRequest[] = []
  return {
    sent,
    link: (at = -1) => {
      const message = sent.at(at)
      if (message === undefined) throw new Error("No message was sent")
      return message.url
    },
    provider: {
      id: "email",
      name: "E-mail",
      type: "email",
      sendVerificationRequest: (message) => {
        trackSecret("token of a link", message.token)
        sent.push(message)
      },
      ...overrides,
    },
  }
}

/** Requests a link and opens it in the same browser. */
export async function signInByMail(browser: Browser, mail: Mailbox, email: string): Promise<void> {
  await browser.signIn("email", { email })
  await browser.get(mail.link())
}

export function hasSession(browser: Browser): boolean {
  return browser.cookies.some(({ name }) => name.includes("session-token"))
}

/** The path of the current page and its `error` parameter. */
export function errorAt({ location }: Browser): string {
  const { pathname, searchParams } = new URL(location)
  return `${pathname} ${searchParams.get("error")}`
}

export async function emailOf(browser: Browser): Promise<unknown> {
  const session = await browser.session()
  if (typeof session !== "object" || session === null || !("user" in session)) return undefined
  const { user } = session
  return typeof user === "object" && user !== null && "email" in user ? user.email : undefined
}

type Around = (method: string, run: () => Promise<unknown>) => Promise<unknown>

/** Wraps every call of the adapter, inside transactions too. */
export function intercept<A extends Adapter>(adapter: A, around: Around): A {
  return new Proxy(adapter, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== "function" || typeof name !== "string" || name === "rows") return member
      if (name !== "transaction") {
        return (...args: unknown[]) => around(name, async () => Reflect.apply(member, target, args))
      }
      return (work: (inside: Adapter) => Promise<unknown>) =>
        around(name, async () => target.transaction?.((inside) => work(intercept(inside, around))))
    },
  })
}

export interface Fault {
  readonly method: string
  /** Whether the call took effect before it failed. */
  readonly effect: "before" | "after"
}

/** The first call of the method after `arm` fails. Later calls work. */
export function breakable<A extends Adapter>(
  adapter: A,
): { readonly adapter: A; arm(fault: Fault): void; hit(): boolean } {
  let armed: Fault | undefined
  let hit = false
  const fail = () => {
    armed = undefined
    hit = true
    throw new Error("connection lost")
  }
  return {
    hit: () => hit,
    arm: (fault) => {
      armed = fault
      hit = false
    },
    adapter: intercept(adapter, async (method, run) => {
      const fault = armed?.method === method ? armed : undefined
      if (fault?.effect === "before") fail()
      const result = await run()
      if (fault?.effect === "after") fail()
      return result
    }),
  }
}

/** The memory adapter without transactions, like most published adapters. */
export function withoutTransactions(adapter: ReturnType<typeof memoryAdapter>): Adapter {
  const { transaction: _, rows: __, ...rest } = adapter
  return rest
}

export interface Recorder<Message> {
  readonly messages: readonly Message[]
  /** The only message. */
  readonly one: Message
  readonly record: (message: Message) => void
}

export function recorder<Message>(): Recorder<Message> {
  const messages: Message[] = []
  return {
    messages,
    get one() {
      const [message, ...more] = messages
      if (message === undefined || more.length > 0) throw new Error(`There were ${messages.length} messages, not one`)
      return message
    },
    record: (message) => void messages.push(message),
  }
}

export type Question = Parameters<NonNullable<NonNullable<AuthConfig["callbacks"]>["signIn"]>>[0]
export type Events = NonNullable<AuthConfig["events"]>
export type Message<Name extends keyof Events> = Parameters<NonNullable<Events[Name]>>[0]
