import { Auth, check } from "@latchkey/core"
import type { AuthConfig, JWT, LoggerInstance, Session } from "@latchkey/core/types"
import { openBrowser } from "./browser/browser.js"
import type { Browser } from "./browser/model.js"
import type { FrozenClock } from "./clock.js"
import { wholeText } from "./log.js"
import { trackLog, isWatched, trackConfig } from "./secrets.js"

/** Options of {@link visit}. */
export interface VisitOptions {
  /** Origin of the app. @default "https://app.test" */
  readonly origin?: string
  /** Clock for sessions, tokens and cookies. @default the system clock */
  readonly clock?: FrozenClock
  /** Handles requests outside the base path. @default a response with the text "app" */
  readonly app?: (request: Request) => Response | Promise<Response>
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
}

const secret = "only-for-tests-0123456789abcdefghij"

/**
 * Opens a browser at an app with this configuration. The origin of the app is `https://app.test`. `visit` adds a secret,
 * `trustHost: true` and a silent logger if your configuration has none, and freezes the configuration. Visits with the same
 * adapter, or without one with the same configuration object, are visits to one app. All others have rate limits of their own.
 *
 * @throws Error that lists the problems of the configuration. With your own `logger`, the problems are logged and the app
 * responds with its error page instead
 *
 * @example
 * ```ts
 * import { createProvider, visit } from "@latchkey/testing"
 * const op = createProvider()
 * const browser = await visit({ providers: [op.provider()] })
 * await browser.signInWith(op, { as: "ada" })
 * console.log(await browser.session())
 * ```
 */
export async function visit<T extends JWT = JWT, S = Session>(
  config: AuthConfig<T, S>,
  options: VisitOptions = {},
): Promise<Browser> {
  const { origin = "https://app.test", clock, headers, app = appPage } = options
  const runtime = { ...(clock?.runtime ?? ownClock(config.adapter ?? config)), ...config.runtime }
  const complete = freeze({ secret, trustHost: true, logger: silent, ...config, runtime, ...withTracking(config) })
  // `check` doesn't look at callbacks, whose types depend on T and S.
  if (config.logger === undefined) assertValid({ ...complete, callbacks: {} })
  trackConfig(complete)
  const basePath = config.basePath ?? "/auth"
  const isAuthRoute = ({ pathname }: URL) => pathname === basePath || pathname.startsWith(`${basePath}/`)
  return openBrowser({
    origin,
    basePath,
    clock,
    headers,
    handle: async (request) => (isAuthRoute(new URL(request.url)) ? await Auth(request, complete) : await app(request)),
  })
}

const clocks = new WeakMap<object, { readonly now: () => number }>()

/**
 * The system clock as a function of its own. Applications with one secret share their rate limits, unless their clocks
 * differ, and each test needs its own.
 */
function ownClock(app: object): { readonly now: () => number } {
  const clock = clocks.get(app) ?? { now: () => Date.now() }
  clocks.set(app, clock)
  return clock
}

/** Without a logger of its own, a test would see only a page that refers to the log. */
function assertValid(config: AuthConfig): void {
  const problems = check(config).errors.map(({ path, problem, fix }) => `- ${path}: ${problem}. ${fix}`)
  if (problems.length > 0) throw new Error(`The configuration passed to visit() is invalid:\n${problems.join("\n")}`)
}

/** If secrets are tracked, also tracks the log, with debug entries unless the test turns them off. */
function withTracking({ logger, debug }: Pick<AuthConfig, "logger" | "debug">): Pick<AuthConfig, "logger" | "debug"> {
  if (!isWatched()) return {}
  if (logger === undefined) return { logger: trackedLogger(silent), debug: debug ?? true }
  return { logger: trackedLogger(logger) }
}

/** Missing levels stay missing, so that they go to the console. */
function trackedLogger(logger: Partial<LoggerInstance>): Partial<LoggerInstance> {
  const levels = ["error", "warn", "debug"] as const
  const defined = levels.filter((level) => logger[level] !== undefined)
  return Object.fromEntries(
    defined.map((level) => [
      level,
      (...args: unknown[]) => {
        trackLog(() => args.map(wholeText).join(" "))
        return Reflect.apply(logger[level] ?? ignore, logger, args)
      },
    ]),
  )
}

const silent = { error: ignore, warn: ignore, debug: ignore }

function ignore(): void {
  // To see log entries, a test passes `captureLog().logger`.
}

function appPage(): Response {
  return new Response("app", { headers: { "content-type": "text/plain" } })
}

/** These objects may keep state. */
const stateful: ReadonlySet<string> = new Set(["adapter", "logger", "runtime"])

function freeze<C extends object>(config: C): C {
  for (const [name, value] of Object.entries(config)) if (!stateful.has(name)) freezeDeeply(value)
  return Object.freeze(config)
}

function freezeDeeply(value: unknown): void {
  if (!isPlain(value) || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const part of Object.values(value)) freezeDeeply(part)
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype
}
