import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { createServer, type Server } from "@latchkey/core/server"
import type { AccountEmail, AuthConfig, SecurityEvent } from "@latchkey/core/types"
import { type Browser, captureLog, type FrozenClock, frozenClock, visit } from "@latchkey/testing"
import { password, type PasswordOptions } from "../src/index.js"

export const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw"

export const modes = ["compatible", "strict"] as const

export type Mode = (typeof modes)[number]

export const good = "tuba gravel oyster ninety"
export const better = "violin meadow copper thirty"

export interface Site {
  readonly adapter: Adapter
  readonly clock: FrozenClock
  /** The emails of the module, oldest first. */
  readonly sent: readonly AccountEmail[]
  readonly events: readonly SecurityEvent[]
  readonly errors: readonly string[]
  readonly server: Server
  open(headers?: Readonly<Record<string, string>>): Promise<Browser>
}

interface SiteOptions extends PasswordOptions {
  readonly mode?: Mode
  readonly adapter?: Adapter
  readonly config?: Partial<AuthConfig>
  /** `false`: no provider sends emails. @default true */
  readonly mails?: boolean
}

/** An application with passwords. Nothing is looked up on the internet. */
export function siteOf({
  mode = "compatible",
  adapter = store(),
  config = {},
  mails = true,
  ...options
}: SiteOptions = {}): Site {
  const [clock, log] = [frozenClock(), captureLog()]
  const sent: AccountEmail[] = []
  const events: SecurityEvent[] = []
  const email = {
    id: "email",
    name: "Email",
    type: "email",
    sendVerificationRequest: () => undefined,
    sendAccountEmail: (message: AccountEmail) => void sent.push(message),
  } as const
  const all: AuthConfig = {
    secret,
    url: "https://app.test/auth",
    security: mode,
    rateLimit: false,
    adapter,
    modules: [password({ breached: false, ...options })],
    logger: log.logger,
    runtime: clock.runtime,
    events: { security: (event) => void events.push(event) },
    ...config,
    providers: [...(mails ? [email] : []), ...(config.providers ?? [])],
  }
  return {
    adapter,
    clock,
    sent,
    events,
    get errors() {
      return log.entries.flatMap(({ level, text }) => (level === "error" ? [text] : []))
    },
    server: createServer(all),
    open: (headers = {}) => visit(all, { clock, headers }),
  }
}

/** In memory, for one process. In a test, that's every process. */
export function store(): Adapter {
  const { records, ...adapter } = memoryAdapter()
  return { ...adapter, ...(records && { records: { ...records, atomic: "global" } }) }
}

/** The link of the newest email to an address. */
export function linkTo({ sent }: Site, email: string): string {
  const message = sent.findLast(({ identifier, letter }) => identifier === email && letter?.link !== undefined)
  if (message?.letter?.link === undefined) throw new Error(`No link was sent to ${email}`)
  return message.letter.link.url
}

export async function signUp(browser: Browser, email: string, password: string = good): Promise<void> {
  await browser.get("/auth/password/sign-up")
  await browser.submitForm("password/sign-up", { email, password })
}

/** A user who has signed up, and confirmed it in the same browser. */
export async function joined(site: Site, email: string, password: string = good): Promise<Browser> {
  const browser = await site.open()
  await signUp(browser, email, password)
  await browser.get(linkTo(site, email))
  await browser.submitForm("callback/password")
  return browser
}

export async function signIn(site: Site, email: string, password: string, browser?: Browser): Promise<Browser> {
  const tab = browser ?? (await site.open())
  await tab.signIn("password", { email, password })
  return tab
}

export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.session()) !== null
}

export async function askReset(site: Site, email: string, browser?: Browser): Promise<Browser> {
  const tab = browser ?? (await site.open())
  await tab.get("/auth/password/forgot")
  await tab.submitForm("password/forgot", { email })
  return tab
}

/** Opens the link, and chooses a password. */
export async function choose(browser: Browser, link: string, newPassword: string): Promise<void> {
  await browser.get(link)
  await browser.submitForm("callback/password", { newPassword })
}

export function userOf({ adapter }: Site, email: string) {
  return adapter.getUserByEmail?.(email)
}
