import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createServer, type Server } from "@latchkey/core/server"
import { createSessionReader, type SessionReader } from "@latchkey/core/session-reader"
import type { AuthConfig, SecurityEvent } from "@latchkey/core/types"
import {
  type Browser,
  captureLog,
  createProvider,
  type FakeProvider,
  frozenClock,
  type FrozenClock,
  visit,
} from "@latchkey/testing"
import { deviceBound, type DeviceBoundOptions } from "../src/index.js"
import { type Device, type Instructions, newDevice, type Offer, offerIn, posting, register } from "./device.js"

export const modes = ["compatible", "strict"] as const
export type Mode = (typeof modes)[number]
export const strategies = ["jwt", "database"] as const

export const origin = "https://app.test"
export const identifier: string = `${origin}/auth/device-bound`
export const pass = "__Host-authjs.device-bound.pass"

export interface Site {
  readonly config: AuthConfig
  readonly store: MemoryAdapter
  readonly clock: FrozenClock
  readonly op: FakeProvider
  readonly events: readonly SecurityEvent[]
  readonly logs: () => string
  readonly server: Server
  /** What middleware has. */
  readonly reader: SessionReader
  open(): Promise<Browser>
}

export interface SiteOptions extends DeviceBoundOptions {
  readonly mode?: Mode
  readonly strategy?: "jwt" | "database"
  readonly config?: Partial<AuthConfig>
}

/** An application whose sessions are bound to devices. */
export function siteOf({ mode = "strict", strategy = "jwt", config: more = {}, ...options }: SiteOptions = {}): Site {
  const [clock, log, store] = [frozenClock(), captureLog(), memoryAdapter()]
  const person = (sub: string) => ({ sub, email: `${sub}@users.test`, email_verified: true })
  const op = createProvider({ clock, people: { ada: person("ada"), eve: person("eve") } })
  const events: SecurityEvent[] = []
  const { records, ...adapter } = store
  const config: AuthConfig = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: `${origin}/auth`,
    security: mode,
    rateLimit: false,
    adapter: { ...adapter, records: { ...records, atomic: "global" } },
    session: { strategy },
    providers: [op.provider()],
    logger: log.logger,
    runtime: clock.runtime,
    events: { security: (event) => void events.push(event) },
    modules: [deviceBound(options)],
    ...more,
  }
  const { providers: _, ...forReader } = config
  return {
    config,
    store,
    clock,
    op,
    events,
    logs: () => log.entries.map(({ text }) => text).join("\n"),
    server: createServer(config),
    reader: createSessionReader(forReader),
    open: () => visit(config, { clock }),
  }
}

export interface SignedIn {
  readonly tab: Browser
  readonly offer: Offer
}

/** Signs in in a new browser, which is offered to register a key. */
export async function signIn(site: Site, as = "ada", given?: Browser): Promise<SignedIn> {
  const tab = given ?? (await site.open())
  await tab.signInWith(site.op, { as })
  const offers = tab.trail.flatMap(({ headers }) => offerIn(headers.get("secure-session-registration")) ?? [])
  const [offer] = offers
  if (offer === undefined || offers.length > 1) throw new Error(`${offers.length} offers`)
  return { tab, offer }
}

export interface Bound extends SignedIn {
  readonly device: Device
  readonly instructions: Instructions
}

/** Signs in in a new browser with a key. */
export async function bound(site: Site, as = "ada"): Promise<Bound> {
  const [device, signedIn] = [await newDevice(), await signIn(site, as)]
  const response = await register(posting(signedIn.tab), device, signedIn.offer)
  return { ...signedIn, device, instructions: (await response.json()) as Instructions }
}

/** A copy of the cookies of a browser in another one, which keeps them for as long as it likes. */
export async function stolen(site: Site, tab: Browser, names?: (name: string) => boolean): Promise<Browser> {
  const thief = await site.open()
  for (const cookie of tab.cookies) {
    if (names?.(cookie.name) ?? true) thief.jar.put({ ...cookie, expires: undefined })
  }
  return thief
}

export const isSessionCookie = (name: string): boolean => name.includes("session-token")

/** The name of the user, as `GET /session`, server code and middleware see them. */
export async function who(site: Site, tab: Browser): Promise<readonly unknown[]> {
  const own = await tab.session()
  const visitor = { headers: new Headers({ cookie: cookiesOf(tab) }), origin }
  const views = [site.server, site.reader].map((each) => each.session(visitor, { readOnly: true }))
  const others = (await Promise.all(views)).map(({ session }) => session)
  return [own, ...others].map((session) => Object(Object(session).user).email)
}

export function cookiesOf(tab: Browser): string {
  return tab.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
}

export const ada: readonly string[] = Array.from({ length: 3 }, () => "ada@users.test")
export const signedOut: readonly undefined[] = [undefined, undefined, undefined]
