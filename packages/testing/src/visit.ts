import { Auth } from "@latchkey/core"
import type { AuthConfig, JWT, LoggerInstance, Session } from "@latchkey/core/types"
import { openBrowser } from "./browser/browser.js"
import type { Browser } from "./browser/model.js"
import type { FrozenClock } from "./clock.js"
import { wholeText } from "./log.js"
import { hear, isWatched, knowConfig } from "./secrets.js"

/** Options of `visit`. */
export interface VisitOptions {
  /** Default `"https://app.test"`. */
  readonly origin?: string
  /** Time for the engine and for the cookies. */
  readonly clock?: FrozenClock
  /** The pages outside the base path. Default: a page that says "app". */
  readonly app?: (request: Request) => Response | Promise<Response>
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
}

const secret = "only-for-tests-0123456789abcdefghij"

/**
 * A browser at an app that has this configuration. What every test needs is supplied: a secret, `trustHost`, and a
 * logger that says nothing. The configuration is frozen deeply, so that an engine that writes to it is found out.
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
  const runtime = clock === undefined ? {} : { runtime: { ...clock.runtime, ...config.runtime } }
  const complete = freeze({ secret, trustHost: true, logger: silent, ...config, ...runtime, ...watched(config) })
  knowConfig(complete)
  const basePath = config.basePath ?? "/auth"
  const isOurs = ({ pathname }: URL) => pathname === basePath || pathname.startsWith(`${basePath}/`)
  return openBrowser({
    origin,
    basePath,
    clock,
    headers,
    handle: async (request) => (isOurs(new URL(request.url)) ? await Auth(request, complete) : await app(request)),
  })
}

/** While somebody watches for secrets, everything that is logged is heard, and there is more to hear. */
function watched({ logger, debug }: Pick<AuthConfig, "logger" | "debug">): Pick<AuthConfig, "logger" | "debug"> {
  if (!isWatched()) return {}
  if (logger === undefined) return { logger: heard(silent), debug: debug ?? true }
  return { logger: heard(logger) }
}

/** A level that is missing stays missing: the console has it then. */
function heard(logger: Partial<LoggerInstance>): Partial<LoggerInstance> {
  const levels = ["error", "warn", "debug"] as const
  const present = levels.filter((level) => logger[level] !== undefined)
  return Object.fromEntries(
    present.map((level) => [
      level,
      (...args: unknown[]) => {
        hear(() => args.map(wholeText).join(" "))
        return Reflect.apply(logger[level] ?? ignore, logger, args)
      },
    ]),
  )
}

const silent = { error: ignore, warn: ignore, debug: ignore }

function ignore(): void {
  // A test that cares passes `captureLog().logger`.
}

function appPage(): Response {
  return new Response("app", { headers: { "content-type": "text/plain" } })
}

/** What belongs to others: these objects may keep state in themselves. */
const foreign: ReadonlySet<string> = new Set(["adapter", "logger", "runtime"])

function freeze<C extends object>(config: C): C {
  for (const [name, value] of Object.entries(config)) if (!foreign.has(name)) freezeDeeply(value)
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
