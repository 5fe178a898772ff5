import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { type CompletedSignIn, defineModule, route } from "@latchkey/core/module"
import { createServer, type Server } from "@latchkey/core/server"
import type { AccountEmail, AuthConfig, SecurityEvent, VerificationRequest } from "@latchkey/core/types"
import { type Browser, captureLog, type CapturedLog, type FrozenClock, frozenClock, visit } from "@latchkey/testing"
import { phone, type PhoneMessage, type PhoneOptions } from "../src/index.js"

export const modes = ["compatible", "strict"] as const

export type Mode = (typeof modes)[number]

export const ada = "+447700900123"
export const grace = "+447700900456"

export interface Site {
  readonly store: MemoryAdapter
  readonly clock: FrozenClock
  readonly log: CapturedLog
  /** Text messages. */
  readonly messages: readonly PhoneMessage[]
  readonly letters: readonly { readonly to: string; readonly text: string }[]
  /** Links to sign in. */
  readonly links: readonly VerificationRequest[]
  readonly events: readonly SecurityEvent[]
  readonly server: Server
  /** What other modules hear of. */
  readonly signIns: readonly CompletedSignIn[]
  open(headers?: Readonly<Record<string, string>>): Promise<Browser>
}

interface SiteOptions extends Partial<PhoneOptions> {
  readonly mode?: Mode
  readonly config?: Partial<AuthConfig>
  /** Of another process on the same database. */
  readonly store?: MemoryAdapter
}

/** An application with phones and email links. */
export function siteOf({
  mode = "compatible",
  config = {},
  store = memoryAdapter(),
  ...options
}: SiteOptions = {}): Site {
  const [clock, log] = [frozenClock(), captureLog()]
  const signIns: CompletedSignIn[] = []
  const messages: PhoneMessage[] = []
  const letters: { to: string; text: string }[] = []
  const links: VerificationRequest[] = []
  const events: SecurityEvent[] = []
  const { records, ...adapter } = store
  const all: AuthConfig = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: "https://app.test/auth",
    security: mode,
    rateLimit: false,
    adapter: { ...adapter, ...(records && { records: { ...records, atomic: "global" } }) },
    session: { stepUp: true },
    logger: log.logger,
    runtime: clock.runtime,
    events: { security: (event) => void events.push(event) },
    ...config,
    providers: [mailProvider(links, letters), ...(config.providers ?? [])],
    modules: [
      phone({ send: (message) => void messages.push(message), ...options }),
      probe(signIns),
      ...(config.modules ?? []),
    ],
  }
  return {
    store,
    clock,
    log,
    messages,
    letters,
    links,
    events,
    signIns,
    server: createServer(all),
    open: (headers = {}) => visit(all, { clock, headers }),
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

function mailProvider(links: VerificationRequest[], letters: { to: string; text: string }[]) {
  return {
    id: "email",
    name: "Email",
    type: "email",
    sendVerificationRequest: (message: VerificationRequest) => void links.push(message),
    sendAccountEmail: ({ letter, identifier: to }: AccountEmail) => void letters.push({ to, text: letter?.text ?? "" }),
  } as const
}

/** Types the number, as a visitor does. */
export async function ask(browser: Browser, number: string): Promise<void> {
  await browser.get("/auth/phone")
  await browser.submitForm("callback/phone", { phone: number })
}

export function codeOf({ messages }: Site): string {
  return messages.at(-1)?.code ?? ""
}

export async function enter(browser: Browser, code: string): Promise<void> {
  await browser.submitForm("callback/phone", { code })
}

/** Signs in or up. */
export async function signedIn(site: Site, number: string = ada, browser?: Browser): Promise<Browser> {
  const tab = browser ?? (await site.open())
  await ask(tab, number)
  await enter(tab, codeOf(site))
  return tab
}

export async function signInByLink(site: Site, browser: Browser, email: string): Promise<void> {
  await browser.signIn("email", { email, callbackUrl: "/auth/account" })
  await browser.get(site.links.at(-1)?.url ?? "")
}

export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.session()) !== null
}

/** The user who signs in with a number. */
export async function ownerOf({ store }: Site, number: string): Promise<string | undefined> {
  return (await store.getUserByAccount?.({ provider: "phone", providerAccountId: number }))?.id
}

/** Another code than the right one. */
export function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0")
}
