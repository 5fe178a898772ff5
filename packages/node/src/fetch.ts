import {
  type ConfigOrFunction,
  createIntegration,
  type Env,
  type EventFunctions,
  eventFunctions,
  type Framework,
  forEvents,
  type Module,
  type ModuleOptions,
  processEnv,
  type WithMembers,
  withMembers,
} from "@latchkey/core/integration"
import type { Awaitable, JWT, Session, StepUp } from "@latchkey/core/types"
import type { AuthConfig } from "./model.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type { Revoke, SignIn, SignOut, UserExport, UserFunctions, WithMembers } from "@latchkey/core/integration"
export type { Account, DefaultSession, Profile, Session, User, UserAccount } from "@latchkey/core/types"
export type * from "./model.js"

/** What `createAuth()` returns. */
export interface Auth<S, Id extends string = string> extends EventFunctions<Request, S, Id> {
  /**
   * Wraps the function that responds to requests: it answers the auth routes, and adds cookies to the other responses. It passes
   * on all arguments, such as `env` of a Worker.
   */
  handler<A extends readonly unknown[]>(
    app: (request: Request, ...rest: A) => Response | Promise<Response>,
  ): (request: Request, ...rest: A) => Promise<Response>
  /**
   * The session. Without one, the response: pages redirect to the sign-in page, and an API answers 401. With `asked`, a user whose
   * sign-in isn't recent or strong enough is asked again.
   */
  requireSession(request: Request, asked?: StepUp): Promise<Access<S>>
}

export type Access<S> =
  | { readonly session: S; readonly response?: undefined }
  | { readonly session: null; readonly response: Response }

/**
 * Creates a handler for the auth routes, and functions for sessions, for every server whose requests and responses are those
 * of `fetch`: Bun, Deno, Cloudflare Workers and others.
 *
 * @example
 * ```ts
 * import { createAuth } from "@latchkey/node/fetch"
 * import GitHub from "@latchkey/node/providers/github"
 *
 * const auth = createAuth({ providers: [GitHub] })
 * export default {
 *   fetch: auth.handler(async (request) => {
 *     const { session, response } = await auth.requireSession(request)
 *     return response ?? new Response(`Hello ${session.user?.name}`)
 *   }),
 * }
 * ```
 * @param config the configuration, or a function that returns it for a request. It gets the bindings of a Worker
 * @param options the modules, if the configuration is a function
 */
export function createAuth<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config: ConfigOrFunction<AuthConfig<T, S>, [request: Request, env: Env], Id, K, Mods>,
  options: ModuleOptions<Mods> = {},
): WithMembers<Auth<Awaited<S>, Id>, Mods> {
  return createAuthFor(config, platform(), options)
}

/** What a server knows about a request. */
export interface Platform {
  readonly remember: (request: Request, rest: readonly unknown[]) => void
  readonly address: (request: Request) => string | undefined
  /** `undefined`: outside of a request. */
  readonly env: (request: Request | undefined) => Env
}

export function createAuthFor<T extends JWT, S, Id extends string, Mods extends readonly Module[]>(
  config: AuthConfig<T, S> | ((request: Request, env: Env) => Awaitable<AuthConfig<T, S>>),
  { remember, address, env }: Platform,
  options: ModuleOptions<Mods>,
): WithMembers<Auth<Awaited<S>, Id>, Mods> {
  const handled = new WeakSet<Request>()
  const framework: Framework<Request> = {
    basePath: "/auth",
    env,
    read: (request) => ({
      method: request.method,
      url: new URL(request.url),
      headers: request.headers,
      address: address(request),
    }),
    toRequest: (request) => request,
    isSent: (request) => !handled.has(request),
    sentMessage: "This response gets no cookies. Wrap the app with `auth.handler()`, and pass on the request it got",
  }
  const given = typeof config === "function" ? forEvents(config, (request: Request) => [request, env(request)]) : config
  const auth = createIntegration<Request, T, S>(given, framework, options)
  const result: Auth<Awaited<S>, Id> = {
    handler:
      (app) =>
      async (request, ...rest) => {
        handled.add(request)
        remember(request, rest)
        return auth.finish(request, (await auth.handle(request)) ?? (await app(request, ...rest)))
      },
    ...eventFunctions(auth),
    async requireSession(request, asked) {
      const access = await auth.requireSession(request, asked)
      return "response" in access ? { session: null, response: access.response } : access
    },
  }
  return withMembers(result, auth.members())
}

/** Elsewhere, a client can write the headers of Cloudflare. */
function isCloudflare(): boolean {
  return globalThis.navigator?.userAgent === "Cloudflare-Workers"
}

interface Deno {
  readonly remoteAddr?: { readonly hostname?: string }
}

interface Bun {
  requestIP?(request: Request): { readonly address: string } | null
}

/** Workers pass bindings and a context; Deno passes the connection; Bun passes its server. */
function platform(): Platform {
  const given = new WeakMap<Request, readonly unknown[]>()
  const first = (request: Request): object => {
    const [value] = given.get(request) ?? []
    return typeof value === "object" && value !== null ? value : {}
  }
  const isWorker = (request: Request) => {
    const context = given.get(request)?.[1]
    return typeof context === "object" && context !== null && "waitUntil" in context
  }
  return {
    remember: (request, rest) => void given.set(request, rest),
    address(request) {
      if (isWorker(request)) return isCloudflare() ? (request.headers.get("cf-connecting-ip") ?? undefined) : undefined
      const { remoteAddr, requestIP }: Deno & Bun = first(request)
      return remoteAddr?.hostname ?? requestIP?.call(first(request), request)?.address
    },
    env: (request) => (request !== undefined && isWorker(request) ? (first(request) as Env) : processEnv()),
  }
}
