import { memoryAdapter, type MemoryAdapter } from "@latchkey/adapter-kit/memory"
import type { OIDCConfig, SecurityMode } from "@latchkey/core/types"
import { type Browser, captureLog, type CapturedLog, type FrozenClock, visit } from "@latchkey/testing"
import { expect } from "vitest"

export const home = "https://app.test"
export const redirectUri = `${home}/auth/callback/op`

/** How the provider returns the authorization response. */
export type ResponseMode = "query" | "form_post"
export const responseModes: readonly ResponseMode[] = ["query", "form_post"]

/** The relying party under test, and a browser. */
export interface App {
  readonly browser: Browser
  readonly adapter: MemoryAdapter
  readonly log: CapturedLog
}

export async function openApp(provider: OIDCConfig, security: SecurityMode, clock?: FrozenClock): Promise<App> {
  const adapter = memoryAdapter()
  const log = captureLog()
  const secret = "kV3b9QmT7xZ1cW5yR8nL2pD6fH4jS0gAeUiOqBtMvXs"
  const config = {
    secret,
    trustHost: ["app.test"],
    providers: [provider],
    adapter,
    logger: log.logger,
    security,
    // The provider is on loopback, which production under strict doesn't reach.
    environment: "development",
  } as const
  const browser = await visit(config, { origin: home, ...(clock === undefined ? {} : { clock }) })
  return { browser, adapter, log }
}

/** Posts the sign-in form, and returns the authorization URL. */
export async function begin(browser: Browser): Promise<string> {
  await browser.post("/auth/signin/op", { csrfToken: (await browser.csrf()) ?? "" })
  return browser.location
}

/** Expects a session of the user with this subject and name. */
export async function expectAccepted(
  { browser, adapter, log }: App,
  person: { readonly sub: string; readonly name: string },
): Promise<void> {
  const errors = log.entries.filter(({ level }) => level === "error").map(({ text }) => text)
  expect(errors).toEqual([])
  expect(browser.location).toBe(`${home}/`)
  expect(await browser.session()).toMatchObject({ user: { name: person.name } })
  expect(adapter.rows().accounts.map(({ providerAccountId }) => providerAccountId)).toEqual([person.sub])
}

/** Expects an error page and a log entry, and no session, rows or cookies. */
export async function expectRejected({ browser, adapter, log }: App): Promise<void> {
  expect(browser.location).toMatch(/^https:\/\/app\.test\/auth\/(?:signin|error)\?error=/)
  expect(log.entries.some(({ level }) => level === "error")).toBe(true)
  expect(await browser.session()).toBeNull()
  const { users, accounts, sessions } = adapter.rows()
  expect([users, accounts, sessions]).toEqual([[], [], []])
  expect(browser.cookies.filter(({ name }) => /session-token|\.state\./.test(name))).toEqual([])
}
