import { atBuild, createIntegration, showing, type StepUp } from "@latchkey/core/integration"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, frozenClock, type FrozenClock, visit } from "@latchkey/testing"

/** What each path of the application asks for. */
export const asked: Readonly<Record<string, StepUp | undefined>> = {
  "/any": undefined,
  "/recent": { maxAge: "5m" },
  "/strong": { level: 2 },
  "/recent-and-strong": { maxAge: 300, level: 2 },
  // A framework passes its own arguments after the request.
  "/callback": Object.assign(() => undefined),
}

export const byName = credentials({
  credentials: { name: {} },
  authorize: ({ name }) => ({ id: String(name), name: String(name) }),
})

export const options = {
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
  trustHost: true,
  basePath: "/auth",
  rateLimit: false,
} as const

export interface Site {
  readonly clock: FrozenClock
  readonly browser: Browser
}

/** An application that protects the paths in `asked`, and shows the session. */
export async function siteOf(config: Partial<AuthConfig> = {}, clock: FrozenClock = frozenClock()): Promise<Site> {
  const { session, ...rest } = config
  const whole: AuthConfig = {
    ...options,
    providers: [byName],
    session: { stepUp: true, ...session },
    runtime: clock.runtime,
    ...rest,
  }
  const own = createIntegration<Request>(whole, {
    basePath: "/auth",
    env: () => ({}),
    read: (request) => ({ method: request.method, url: new URL(request.url), headers: request.headers }),
    toRequest: (request) => request,
  })
  // As packages wrap it, for frameworks that build pages and keep the session for them.
  const integration = atBuild(
    showing(own, () => undefined),
    { isBuild: () => false, advice: () => "" },
  )
  const app = async (request: Request) => {
    const access = await integration.requireSession(request, asked[new URL(request.url).pathname])
    return integration.finish(request, "response" in access ? access.response : Response.json(access.session))
  }
  return { clock, browser: await visit(whole, { clock, app }) }
}

export async function signIn(browser: Browser, name = "ada"): Promise<void> {
  await browser.get("/auth/signin?callbackUrl=/any")
  await browser.submitForm("callback/credentials", { name })
}

/** Whether a script may call the path. */
export async function isOpen(browser: Browser, path: string): Promise<boolean> {
  const { status } = await browser.fetch(path)
  return status === 200
}

/** Path and query of the page that the browser shows. */
export function at({ location }: Browser): string {
  const { pathname, search } = new URL(location)
  return pathname + search
}
