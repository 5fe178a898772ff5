import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { MemoryAdapter } from "@latchkey/adapter-kit"
import type { AuthConfig, SecurityMode } from "@latchkey/core/types"
import { captureLog, visit } from "@latchkey/testing"
import type { Browser, CapturedLog, FakeProvider, FrozenClock } from "@latchkey/testing"

/** A browser, the app's adapter and its log. */
export interface App {
  readonly browser: Browser
  readonly adapter: MemoryAdapter
  readonly log: CapturedLog
}

export interface AppOptions extends Partial<Omit<AuthConfig, "providers" | "adapter" | "logger">> {
  readonly origin?: string
  readonly clock?: FrozenClock
}

/** Strong enough for `security: "strict"`. */
export const secret = "kV3b9QmT7xZ1cW5yR8nL2pD6fH4jS0gAeUiOqBtMvXs"

export const modes: readonly SecurityMode[] = ["compatible", "strict"]

export async function open(
  providers: AuthConfig["providers"],
  { origin = "https://app.test", clock, ...config }: AppOptions = {},
): Promise<App> {
  const adapter = memoryAdapter()
  const log = captureLog()
  const browser = await visit(
    { secret, trustHost: [new URL(origin).host], ...config, providers, adapter, logger: log.logger },
    { origin, ...(clock === undefined ? {} : { clock }) },
  )
  return { browser, adapter, log }
}

/** Posts the sign-in form, and returns the URL of the redirect to the provider. */
export async function begin(browser: Browser, provider = "op", query: Record<string, string> = {}): Promise<URL> {
  const search = new URLSearchParams(query).toString()
  const csrfToken = (await browser.csrf()) ?? ""
  await browser.post(`/auth/signin/${provider}${search === "" ? "" : `?${search}`}`, { csrfToken })
  return new URL(browser.location)
}

/** The error code in the URL of the current page, else its path, or `home`. */
export function outcome({ location }: Browser): string {
  const { pathname, searchParams } = new URL(location)
  const error = searchParams.get("error")
  if (error === null) return pathname === "/" ? "home" : pathname
  return searchParams.get("code") ?? error
}

/** The callback URL with the parameters of the provider. */
export async function answerOf(op: FakeProvider, at: URL, as = "ada"): Promise<string> {
  const answer = await op.authorize(at, { as })
  if (answer.method === "GET") return answer.location
  throw new Error("The provider answered with a form")
}

export function flowCookies(browser: Browser): string[] {
  return browser.cookies.map(({ name }) => name).filter((name) => name.includes("authjs.state."))
}
