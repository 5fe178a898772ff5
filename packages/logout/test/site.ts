import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth } from "@latchkey/core"
import { createServer, type Server, type Visitor } from "@latchkey/core/server"
import { vault } from "@latchkey/core/tokens"
import type { AuthConfig, OIDCConfig, SecurityEvent } from "@latchkey/core/types"
import {
  type Browser,
  captureLog,
  createProvider,
  type FakeProvider,
  frozenClock,
  type FrozenClock,
  type ProviderOptions,
  visit,
} from "@latchkey/testing"
import { logout, type LogoutOptions } from "../src/index.js"

export const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw"
export const origin = "https://app.test"
export const returnUrl = `${origin}/auth/logout/return`

export type Mode = "compatible" | "strict"

/** Where sessions are, in every way in which they can be ended. */
export const strategies = {
  "in the database": { strategy: "database" },
  "in cookies": { strategy: "jwt" },
} as const satisfies Readonly<Record<string, AuthConfig["session"]>>

export interface Site {
  readonly config: AuthConfig
  readonly store: MemoryAdapter
  readonly clock: FrozenClock
  readonly op: FakeProvider
  readonly other: FakeProvider
  readonly events: readonly SecurityEvent[]
  /** The reasons of the `signOut` events. */
  readonly reasons: readonly (string | undefined)[]
  readonly logs: () => string
  readonly server: Server
  open(): Promise<Browser>
  /** A program: no cookies, and no headers of a browser. */
  send(path: string, init?: RequestInit): Promise<Response>
  /** What a provider sends to end sessions. */
  tell(token: string, provider?: string): Promise<Response>
}

export interface SiteOptions extends LogoutOptions {
  readonly mode?: Mode
  readonly session?: NonNullable<AuthConfig["session"]>
  readonly op?: ProviderOptions
  readonly provider?: Partial<OIDCConfig>
  readonly config?: Partial<AuthConfig>
}

/** An application with two OpenID providers. */
export function siteOf({
  mode = "compatible",
  session,
  op: own,
  provider,
  config: more,
  ...options
}: SiteOptions = {}): Site {
  const [clock, log, store] = [frozenClock(), captureLog(), memoryAdapter()]
  const op = createProvider({ clock, ...own })
  const other = createProvider({ clock, id: "other", issuer: "https://other.test", clientId: op.clientId })
  const events: SecurityEvent[] = []
  const reasons: (string | undefined)[] = []
  const { records, ...adapter } = store
  const config: AuthConfig = {
    secret,
    url: `${origin}/auth`,
    security: { mode, revocableSessions: true },
    rateLimit: false,
    session: session ?? { strategy: "database" },
    adapter: { ...adapter, records: { ...records, atomic: "global" } },
    providers: [op.provider(provider), other.provider()],
    tokens: vault,
    logger: log.logger,
    runtime: clock.runtime,
    events: {
      security: (event) => void events.push(event),
      signOut: ({ reason }) => void reasons.push(reason),
    },
    modules: [logout(options)],
    ...more,
  }
  const send = async (path: string, init?: RequestInit) => Auth(new Request(`${origin}/auth/${path}`, init), config)
  return {
    config,
    store,
    clock,
    op,
    other,
    events,
    reasons,
    logs: () => JSON.stringify(log.entries),
    server: createServer(config),
    open: () => visit(config, { clock }),
    send,
    tell: async (token, to = "op") =>
      send(`backchannel-logout/${to}`, { method: "POST", body: new URLSearchParams({ logout_token: token }) }),
  }
}

/** Signs in, and returns the browser and the session at the provider. */
export async function signIn(site: Site, as = "ada", browser?: Browser, op: FakeProvider = site.op) {
  const tab = browser ?? (await site.open())
  let sid = ""
  const stop = op.inject({
    idToken(token) {
      sid = String(token.claims["sid"])
      return token
    },
  })
  await tab.signInWith(op, { as })
  stop()
  if ((await tab.session()) === null) throw new Error(`The sign-in failed: ${site.logs()}`)
  return { browser: tab, sid }
}

export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.session()) !== null
}

/** Sends the form of the sign-out page. */
export async function signOut(browser: Browser, scope = "federated", callbackUrl = "/bye"): Promise<void> {
  await browser.post("/auth/signout", { csrfToken: (await browser.csrf()) ?? "", scope, callbackUrl })
}

export function visitorOf(browser: Browser): Visitor {
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  return { headers: new Headers({ cookie }), origin: browser.origin }
}
