import { withEnv } from "@latchkey/core/env"
import type { Integration, SignInInput, UserFunctions } from "@latchkey/core/integration"
import {
  createSessionReader,
  isAuthRoute,
  loaded,
  securityMode,
  type SessionReader,
} from "@latchkey/core/session-reader"
import type { AuthConfig, JWT, StepUp } from "@latchkey/core/types"
import { loadEngine } from "#engine"
import type { AuthorizationParams, LazyNextAuthConfig, NextAuthCallbacks } from "./config.js"
import type { NextEvent } from "./request.js"
import { withServerUser } from "./server-session.js"
import type { WrappedHandler } from "./wrapped-handler.js"

/** One resolved configuration. `reader` works right away; the engine loads on first use. */
export interface Instance<S> {
  readonly authorized: NextAuthCallbacks["authorized"] | undefined
  /** Path of the auth routes as the browser sees it, including `nextBasePath`. */
  readonly basePath: string
  /** `basePath` from next.config, or an empty string. */
  readonly nextBasePath: string
  /** Origin of `AUTH_URL`. Takes precedence over what the request says. */
  readonly origin: string | undefined
  /** A path that includes `nextBasePath`, or an absolute URL. */
  readonly signInPage: string
  isAuthRoute(pathname: string): boolean
  readonly logger: AuthConfig["logger"]
  readonly isDevelopment: boolean
  /** `security: "strict"`, or the same as `security.mode`. */
  readonly isStrict: boolean
  /** Codes of warnings that were logged. Shared by the configurations of one `NextAuth()`, which may be new each time. */
  readonly warned: Set<string>
  readonly reader: SessionReader<S>
  actions(): Promise<Actions<S>>
}

/** The options of a Server Action: a form, or an object. */
export type ActionOptions = FormData | SignInInput

/** What needs the engine. */
export interface Actions<S>
  extends Pick<
    Integration<NextEvent, S>,
    "account" | "csrfToken" | "members" | "token" | "update" | keyof UserFunctions
  > {
  handle(event: NextEvent): Promise<Response>
  signIn(
    event: NextEvent,
    provider: string | undefined,
    options: ActionOptions,
    params: AuthorizationParams,
  ): Promise<string>
  signOut(event: NextEvent, options: ActionOptions): Promise<string>
  /** The session that was read, if it's recent and strong enough. Otherwise, the user is asked again, and comes back to `redirectTo`. */
  recent(session: S | null, asked: StepUp, redirectTo: string | undefined): Promise<S>
  /** The handler, for a session that is recent and strong enough. */
  guarded(asked: StepUp, handler: WrappedHandler): WrappedHandler
}

const instances = new WeakMap<object, Instance<unknown>>()

/** Returns the same instance for the same configuration object. Reads the environment on the first call. */
export function instanceFor<T extends JWT, S>(config: LazyNextAuthConfig<T, S>, warned: Set<string>): Instance<S> {
  const known = instances.get(config)
  if (known !== undefined) return known as Instance<S>
  const instance = createInstance(config, warned)
  instances.set(config, instance)
  return instance
}

function createInstance<T extends JWT, S>(given: LazyNextAuthConfig<T, S>, warned: Set<string>): Instance<S> {
  const { adapter, providers, ...options } = given
  const rest = { ...options, secret: secretOf(options) }
  // `T` and `S` are the return types of the callbacks. The engine doesn't look inside them.
  const withoutProviders = mounted({ ...rest, providers: [] } as unknown as AuthConfig)
  const config = withEnv(withoutProviders, process.env, { basePath: `${nextBasePath()}/api/auth` })
  let actions: Promise<Actions<S>> | undefined
  const load = async (): Promise<Actions<S>> => {
    const [{ createActions }, loadedProviders, loadedAdapter] = await Promise.all([
      loadEngine(),
      loaded(providers),
      adapter === undefined ? undefined : loaded(adapter),
    ])
    const full = { ...rest, providers: loadedProviders, adapter: loadedAdapter } as unknown as AuthConfig
    return createActions(mounted(full), instance)
  }
  const instance: Instance<S> = {
    authorized: given.callbacks?.authorized?.bind(given.callbacks),
    basePath: config.basePath ?? "",
    nextBasePath: nextBasePath(),
    origin: originOf(config),
    signInPage: config.pages?.signIn ?? `${config.basePath}/signin`,
    isAuthRoute: (pathname) => isAuthRoute(config, pathname),
    logger: config.logger,
    isDevelopment: config.environment === "development",
    isStrict: securityMode(config) === "strict",
    warned,
    reader: createSessionReader(withServerUser({ ...config, adapter }, warned)) as unknown as SessionReader<S>,
    actions() {
      // Retry after a failure: a lazy adapter may have found its database down.
      actions ??= load().catch((cause: unknown) => {
        actions = undefined
        throw cause
      })
      return actions
    },
  }
  return instance
}

/** Auth.js v5 passes a single secret of the environment to `jwt.encode` as text, and other libraries accept no list. */
function secretOf({ secret }: Pick<AuthConfig, "secret">): AuthConfig["secret"] {
  if (secret?.length) return secret
  const { secret: found } = withEnv({ providers: [] }, process.env)
  return found?.length === 1 ? found[0] : found
}

/** `localhost:3000` parses as a URL with the scheme `localhost:`. The engine reports it. */
function originOf({ url }: AuthConfig): string | undefined {
  return url !== undefined && /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).origin : undefined
}

function mounted(config: AuthConfig): AuthConfig {
  return config.pages === undefined ? config : { ...config, pages: mountPages(config.pages) }
}

/** `pages` are paths as Next.js names them. The browser sees them below the Next.js `basePath`. */
function mountPages(pages: NonNullable<AuthConfig["pages"]>): AuthConfig["pages"] {
  const mount = nextBasePath()
  const isMounted = (page: string) => !page.startsWith("/") || page === mount || page.startsWith(`${mount}/`)
  const given = Object.entries(pages).filter(([, page]) => typeof page === "string")
  return Object.fromEntries(given.map(([name, page]) => [name, isMounted(page) ? page : mount + page]))
}

/** Next.js bundlers replace this variable with `basePath` from next.config. Outside a bundle it isn't set. */
function nextBasePath(): string {
  return process.env["__NEXT_ROUTER_BASEPATH"] ?? ""
}
