import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import credentials from "@latchkey/core/providers/credentials"
import Passkey from "@latchkey/core/providers/passkey"
import type { AuthConfig, EmailConfig, SecurityMode } from "@latchkey/core/types"
import {
  type Browser,
  captureLog,
  type CapturedLog,
  createProvider,
  type FakeProvider,
  frozenClock,
  type FrozenClock,
  openBrowser,
} from "@latchkey/testing"
import type { Deployment, Handle } from "./doors.js"

export const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

/** An application behind one entry point, and a browser at it. */
export interface Site {
  readonly browser: Browser
  readonly adapter: MemoryAdapter
  readonly clock: FrozenClock
  readonly op: FakeProvider
  readonly other: FakeProvider
  readonly log: CapturedLog
  /** The links in the emails that were sent. */
  readonly links: readonly string[]
  /** The fields that `authorize` got. */
  readonly typed: readonly object[]
  /** Sends a request that no browser sends. */
  send(path: string, init?: RequestInit): Promise<Response>
  status(path: string): Promise<number>
}

export interface Given {
  readonly config?:
    | Partial<AuthConfig>
    | ((site: Pick<Site, "op"> & { readonly mode: SecurityMode }) => Partial<AuthConfig>)
  readonly secret?: string
  readonly url?: undefined
}

export type Open = (given?: Given) => Promise<Site>

export function opener(door: (deployment: Deployment) => Promise<Handle> | Handle, security: SecurityMode): Open {
  return async (given = {}) => {
    const clock = frozenClock()
    const [op, other] = [
      createProvider({ clock }),
      createProvider({ clock, id: "other", issuer: "https://other.test" }),
    ]
    const [log, adapter, links, typed] = [captureLog(), memoryAdapter(), [] as string[], [] as object[]]
    const mail: EmailConfig = {
      id: "mail",
      name: "Mail",
      type: "email",
      sendVerificationRequest: ({ url }) => void links.push(url),
    }
    const password = credentials({
      credentials: { name: {} },
      authorize: async (fields) => {
        typed.push(fields)
        return adapter.getUserByEmail(String(fields["name"]))
      },
    })
    const config: AuthConfig = {
      security,
      adapter,
      providers: [op.provider(), other.provider(), mail, password, Passkey()],
      experimental: { enableWebAuthn: true },
      rateLimit: false,
      runtime: clock.runtime,
      logger: log.logger,
      session: { strategy: "jwt" },
      ...(typeof given.config === "function" ? given.config({ op, mode: security }) : given.config),
    }
    const url = "url" in given ? undefined : "https://app.test/auth"
    const handle = await door({ config, secret: given.secret ?? secret, url })
    const browser = openBrowser({ origin: "https://app.test", handle, clock })
    const send = async (path: string, init?: RequestInit) => handle(new Request(`https://app.test${path}`, init))
    const status = async (path: string) => (await send(path)).status
    return { browser, adapter, clock, op, other, log, links, typed, send, status }
  }
}

/** The email in the session, or `null`. */
export async function emailAt(browser: Browser): Promise<unknown> {
  const session = (await browser.session()) as { readonly user?: { readonly email?: unknown } } | null
  return session?.user?.email ?? null
}

export function sessionCookieAt(browser: Browser): { readonly name: string; readonly value: string } {
  return browser.cookies.find(({ name }) => name.includes("session-token")) ?? { name: "", value: "" }
}
