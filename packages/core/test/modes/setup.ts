import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { AuthConfig, EmailConfig, SecurityOptions } from "@latchkey/core/types"
import {
  type Browser,
  createProvider,
  type FakeProvider,
  frozenClock,
  type FrozenClock,
  visit,
} from "@latchkey/testing"
import { trackLink } from "../../../testing/src/secrets.js"

/** 43 characters of base64url: strict accepts it. */
export const strongSecret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

type Way = readonly [name: string, security: NonNullable<AuthConfig["security"]>]

/** The two ways to turn a hardening on: by `strict`, and by its option alone. */
export function hardened<K extends keyof SecurityOptions>(option: K, value: SecurityOptions[K]): readonly Way[] {
  return [
    ['"strict"', "strict"],
    [`the option ${option}`, { [option]: value }],
  ]
}

/** The two ways to turn it off. */
export function compatible<K extends keyof SecurityOptions>(option: K, value: SecurityOptions[K]): readonly Way[] {
  return [
    ['"compatible"', "compatible"],
    [`"strict" without ${option}`, { mode: "strict", [option]: value }],
  ]
}

export interface World {
  readonly clock: FrozenClock
  readonly adapter: MemoryAdapter
  readonly op: FakeProvider
  /** A second provider with its own users. */
  readonly other: FakeProvider
}

export function world(): World {
  const clock = frozenClock()
  const op = createProvider({ clock })
  const other = createProvider({ clock, id: "other", issuer: "https://other.test" })
  return { clock, adapter: memoryAdapter(), op, other }
}

/** What every mode accepts: an address and a good secret. */
export function configOf({ adapter, op, other }: World, rest: Partial<AuthConfig>): AuthConfig {
  return {
    secret: strongSecret,
    url: "https://app.test/auth",
    adapter,
    providers: [op.provider(), other.provider()],
    ...rest,
  }
}

export function appOf(its: World, rest: Partial<AuthConfig>): Promise<Browser> {
  return visit(configOf(its, rest), { clock: its.clock })
}

/** The same browser, cookies and clock with a new configuration of the application. */
export async function redeployed(before: Browser, its: World, rest: Partial<AuthConfig>): Promise<Browser> {
  const after = await appOf(its, rest)
  for (const cookie of before.cookies) after.jar.put(cookie)
  return after
}

/** An email provider that keeps the links it sends. */
export function mailer(rest: Partial<EmailConfig> = {}): { readonly provider: EmailConfig; readonly links: string[] } {
  const links: string[] = []
  const provider: EmailConfig = {
    id: "mail",
    name: "Mail",
    type: "email",
    sendVerificationRequest: ({ url }) => {
      trackLink(url)
      links.push(url)
    },
    ...rest,
  }
  return { provider, links }
}

/** The email address in the answer of the session endpoint. */
export async function whoIs(browser: Browser): Promise<unknown> {
  const session = await browser.session()
  if (typeof session !== "object" || session === null || !("user" in session)) return null
  const { user } = session
  return typeof user === "object" && user !== null && "email" in user ? user.email : null
}

export function cookieNames(browser: Browser): readonly string[] {
  return browser.cookies.map(({ name }) => name).filter((name) => name.includes("session-token"))
}

/** The value of the session cookie, under whatever name. */
export function sessionCookie(browser: Browser): string {
  return browser.cookies.find(({ name }) => name.includes("session-token"))?.value ?? ""
}
