import { withEnv } from "@latchkey/core/env"
import type { Server } from "@latchkey/core/server"
import { createSessionReader, loaded, type SessionReader } from "@latchkey/core/session-reader"
import type { AuthConfig, JWT } from "@latchkey/core/types"
import { loadEngine } from "#engine"
import type { NextAuthConfig, NextAuthCallbacks } from "./config.js"

/** One configuration at work: the session at once, everything else on first use. */
export interface Site<S> {
  readonly authorized: NextAuthCallbacks["authorized"] | undefined
  /** Where the routes of the engine are, as the browser sees it: with the `basePath` of Next.js. */
  readonly basePath: string
  /** The `basePath` of Next.js alone. */
  readonly nextBasePath: string
  /** `AUTH_URL`: wins over what a request says of itself. */
  readonly origin: string | undefined
  /** A path, with the `basePath` of Next.js, or a URL. */
  readonly signInPage: string
  readonly logger: AuthConfig["logger"]
  readonly development: boolean
  readonly reader: SessionReader<S>
  engine(): Promise<Server<S>>
}

const sites = new WeakMap<object, Site<unknown>>()

/** The same for the same configuration object; nothing is read from the environment before this. */
export function siteOf<T extends JWT, S>(given: NextAuthConfig<T, S>): Site<S> {
  const known = sites.get(given)
  if (known !== undefined) return known as Site<S>
  const made = build(given)
  sites.set(given, made)
  return made
}

function build<T extends JWT, S>(given: NextAuthConfig<T, S>): Site<S> {
  const { adapter, providers, ...rest } = given
  // `T` and `S` are what callbacks return: opaque to the environment and to the engine.
  const config = settled({ ...rest, providers: [] } as unknown as AuthConfig)
  let engine: Promise<Server<S>> | undefined
  const start = async (): Promise<Server<S>> => {
    const [{ createServer }, list, store] = await Promise.all([
      loadEngine(),
      loaded(providers),
      adapter === undefined ? undefined : loaded(adapter),
    ])
    const whole = { ...rest, providers: list, adapter: store } as unknown as AuthConfig
    return createServer(settled(whole)) as unknown as Server<S>
  }
  return {
    authorized: given.callbacks?.authorized?.bind(given.callbacks),
    basePath: config.basePath ?? "",
    nextBasePath: nextBasePath(),
    origin: config.url === undefined || !URL.canParse(config.url) ? undefined : new URL(config.url).origin,
    signInPage: config.pages?.signIn ?? `${config.basePath}/signin`,
    logger: config.logger,
    development: config.environment === "development",
    reader: createSessionReader({ ...config, adapter }) as unknown as SessionReader<S>,
    engine() {
      // What failed once, an import of a database that was away for instance, is tried again.
      engine ??= start().catch((cause: unknown) => {
        engine = undefined
        throw cause
      })
      return engine
    },
  }
}

function settled(config: AuthConfig): AuthConfig {
  const whole = config.pages === undefined ? config : { ...config, pages: shown(config.pages) }
  return withEnv(whole, process.env, { basePath: `${nextBasePath()}/api/auth` })
}

/** Pages are named as Next.js names its own: the browser sees them below the `basePath`. */
function shown(pages: NonNullable<AuthConfig["pages"]>): AuthConfig["pages"] {
  const mount = nextBasePath()
  const isBelow = (page: string) => !page.startsWith("/") || page === mount || page.startsWith(`${mount}/`)
  const named = Object.entries(pages).filter(([, page]) => typeof page === "string")
  return Object.fromEntries(named.map(([name, page]) => [name, isBelow(page) ? page : mount + page]))
}

/** Bundlers of Next.js put the setting of next.config here; outside of a bundle there is none. */
function nextBasePath(): string {
  return process.env["__NEXT_ROUTER_BASEPATH"] ?? ""
}
