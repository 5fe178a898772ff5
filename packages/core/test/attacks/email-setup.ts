import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import type { AuthConfig, EmailConfig } from "@latchkey/core/types"
import {
  type Browser,
  captureLog,
  type CapturedLog,
  createProvider,
  type FakeProvider,
  frozenClock,
  type FrozenClock,
  visit,
} from "@latchkey/testing"
import type { Mode } from "../../../../tests/attack.js"
import { intercept, mailbox, type Mailbox } from "../flows/signin/setup.js"
import { strongSecret } from "../modes/setup.js"

export const victim = "victim@example.test"
export const attacker = "attacker@example.test"

export interface Site {
  readonly clock: FrozenClock
  readonly store: MemoryAdapter
  /** The adapter calls, in order. */
  readonly calls: string[]
  readonly op: FakeProvider
  readonly mail: Mailbox
  readonly log: CapturedLog
  readonly config: AuthConfig
  readonly browser: Browser
}

interface Choices {
  readonly email?: Partial<EmailConfig>
  readonly rest?: Partial<AuthConfig>
  /** Wraps the memory adapter to make it misbehave. */
  readonly adapter?: (store: MemoryAdapter) => Adapter
}

/** An application with an email provider, an OpenID provider and an adapter, in both modes. */
export async function site(mode: Mode, { email, rest, adapter }: Choices = {}): Promise<Site> {
  const clock = frozenClock()
  const store = memoryAdapter()
  const calls: string[] = []
  const op = createProvider({ clock })
  const mail = mailbox(email)
  const log = captureLog()
  const noted = intercept(adapter?.(store) ?? store, (method, run) => (calls.push(method), run()))
  const config: AuthConfig = {
    security: mode,
    secret: strongSecret,
    url: "https://app.test/auth",
    adapter: noted,
    logger: log.logger,
    providers: [mail.provider, op.provider()],
    ...rest,
  }
  return { clock, store, calls, op, mail, log, config, browser: await visit(config, { clock }) }
}

/** Posts the confirmation form, as an attacker who guesses would. */
export async function confirm(browser: Browser, fields: Record<string, string>): Promise<Response> {
  return browser.post("/auth/callback/email", { csrfToken: (await browser.csrf()) ?? "", ...fields })
}

export function tokenOf(link: string): string {
  return new URL(link).searchParams.get("token") ?? ""
}

export function linkWith(link: string, params: Record<string, string>): string {
  const url = new URL(link)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}
