import type { Adapter, RecordStore } from "@latchkey/core/adapters"
import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { type CompletedSignIn, defineModule, route } from "@latchkey/core/module"
import { createServer, type Server } from "@latchkey/core/server"
import type { AuthConfig, SecurityEvent, VerificationRequest } from "@latchkey/core/types"
import {
  type Browser,
  captureLog,
  type CapturedLog,
  createProvider,
  type FakeProvider,
  type FrozenClock,
  frozenClock,
  visit,
} from "@latchkey/testing"
import { anonymous, type AnonymousOptions, type Swept, type SweepOptions, type Upgrade } from "../src/index.js"

export const modes = ["compatible", "strict"] as const

export type Mode = (typeof modes)[number]

export interface Site {
  readonly store: MemoryAdapter
  readonly clock: FrozenClock
  readonly log: CapturedLog
  readonly op: FakeProvider
  readonly links: readonly VerificationRequest[]
  readonly events: readonly SecurityEvent[]
  readonly signIns: readonly CompletedSignIn[]
  /** The ids of each call of `onUpgrade`. */
  readonly upgrades: readonly (readonly [from: string, to: string])[]
  readonly server: Server
  open(headers?: Readonly<Record<string, string>>): Promise<Browser>
  sweep(options?: SweepOptions): Promise<Swept>
}

interface SiteOptions extends Omit<AnonymousOptions, "onUpgrade"> {
  readonly mode?: Mode
  readonly config?: Partial<AuthConfig>
  /** What is read from the records is old when it arrives. */
  readonly isFarAway?: boolean
  /** Runs in `onUpgrade`. */
  move?(upgrade: Upgrade): void | Promise<void>
}

/** An application with anonymous users, an OpenID provider and email links. */
export function siteOf({
  mode = "compatible",
  config = {},
  move,
  isFarAway = false,
  ...options
}: SiteOptions = {}): Site {
  const [clock, log, store] = [frozenClock(), captureLog(), memoryAdapter()]
  const ada = { sub: "ada", email: "ada@users.test", email_verified: true }
  const op = createProvider({ clock, people: { ada } })
  const links: VerificationRequest[] = []
  const events: SecurityEvent[] = []
  const signIns: CompletedSignIn[] = []
  const upgrades: (readonly [string, string])[] = []
  const onUpgrade = async (upgrade: Upgrade) => {
    upgrades.push([upgrade.anonymous.id, upgrade.user.id])
    await move?.(upgrade)
  }
  const all: AuthConfig = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: "https://app.test/auth",
    security: mode,
    rateLimit: false,
    adapter: shared(store, isFarAway),
    session: { strategy: "database", stepUp: true },
    logger: log.logger,
    runtime: clock.runtime,
    events: { security: (event) => void events.push(event) },
    ...config,
    providers: [op.provider(), mailProvider(links), ...(config.providers ?? [])],
    modules: [anonymous({ ...options, onUpgrade }), probe(signIns), ...(config.modules ?? [])],
  }
  const server = createServer(all)
  const sweep = server.members["anonymous"]?.["sweep"] as Site["sweep"]
  return {
    store,
    clock,
    log,
    op,
    links,
    events,
    signIns,
    upgrades,
    server,
    sweep,
    open: (headers = {}) => visit(all, { clock, headers }),
  }
}

/** In a test, one process is every process. */
function shared({ records, ...adapter }: MemoryAdapter, isFarAway: boolean): Adapter {
  if (records === undefined) return adapter
  return { ...adapter, records: { ...(isFarAway ? farAway(records) : records), atomic: "global" } }
}

function farAway(records: RecordStore): RecordStore {
  return {
    ...records,
    async get(kind, key) {
      const found = await records.get(kind, key)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return found
    },
  }
}

/** Tells which level the session is enough for. */
function probe(signIns: CompletedSignIn[]) {
  return defineModule({
    id: "probe",
    stepUp: true,
    load: async () => ({
      after: (_, signIn) => void signIns.push(signIn),
      routes: [
        route("GET", "level", { session: "none" }, async ({ stepUp, json }) => {
          const isEnough = async (level: 1 | 2) => (await stepUp({ level, maxAge: 300 }, "/")) === null
          return json({ one: await isEnough(1), two: await isEnough(2) })
        }),
      ],
    }),
  })
}

function mailProvider(links: VerificationRequest[]) {
  const sendVerificationRequest = (message: VerificationRequest) => void links.push(message)
  return { id: "email", name: "Email", type: "email", sendVerificationRequest } as const
}

/** A visitor who became an anonymous user. */
export async function guestIn(
  site: Site,
  browser?: Browser,
): Promise<{ readonly browser: Browser; readonly id: string }> {
  const tab = browser ?? (await site.open())
  await tab.get("/auth/signin?callbackUrl=%2Fauth%2Faccount")
  await tab.submitForm("callback/anonymous")
  return { browser: tab, id: site.signIns.at(-1)?.user.id ?? "" }
}

export async function signInByLink(site: Site, browser: Browser, email = "ada@users.test"): Promise<string> {
  await browser.signIn("email", { email, callbackUrl: "/auth/account" })
  await browser.get(site.links.at(-1)?.url ?? "")
  return (await site.store.getUserByEmail?.(email))?.id ?? ""
}

/** Asks for an email on the account page, and confirms it. */
export async function addEmail(site: Site, browser: Browser, email: string): Promise<void> {
  await browser.get("/auth/account")
  await submitAction(browser, "change-email", { email })
  await browser.get(site.links.at(-1)?.url ?? "/auth/account")
  await submitAction(browser, "confirm-email")
}

async function submitAction(browser: Browser, action: string, fields: Readonly<Record<string, string>> = {}) {
  const index = browser.forms.findIndex(({ fields: all }) => all["action"] === action)
  if (index >= 0) await browser.submitForm(index, fields)
}

export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.session()) !== null
}

export function usersIn({ store }: Site): readonly string[] {
  return store.rows().users.map(({ id }) => id)
}

export function sessionToken({ cookies }: Browser): string | undefined {
  return cookies.find(({ name }) => name.endsWith("session-token"))?.value
}
