import {
  atBuild,
  type ConfigOrFunction,
  createIntegration,
  currentFunctions,
  type Destination,
  eventFunctions,
  forEvents,
  type Framework,
  type Integration,
  isForwardedAddress,
  type Module,
  type ModuleOptions,
  processEnv,
  stepUpIn,
  userFunctionsBy,
  type WithMembers,
  withMembers,
} from "@latchkey/core/integration"
import { anything, assertOptions, type EveryOption } from "@latchkey/core/options"
import type { AuthConfig, JWT, Session } from "@latchkey/core/types"
import { type AnyRedirect, redirect } from "@tanstack/react-router"
import { getRequest, getRequestIP } from "@tanstack/react-start/server"
import type { StartAuth, TanStackStartAuthOptions } from "./model.js"
import { isPrerendered, markFunctionCall, read, type StartRequest } from "./request.js"
import { addCookies, keepOutOfCaches, setCookies } from "./response.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type {
  Destination,
  Env,
  Revoke,
  SignInOptions,
  SignOutOptions,
  Token,
  UserExport,
  UserFunctions,
  WithMembers,
  WithoutRedirect,
} from "@latchkey/core/integration"
export type {
  Account,
  AuthConfig,
  DefaultSession,
  Profile,
  Session,
  SessionUpdate,
  User,
  UserAccount,
} from "@latchkey/core/types"
export type { RequireSessionOptions, StartAuth, TanStackStartAuthOptions } from "./model.js"

/**
 * Creates what an application of TanStack Start needs to sign users in. Call it in a file that only the server loads, such as
 * `src/auth.server.ts`.
 *
 * @example
 * ```ts
 * import { TanStackStartAuth } from "@latchkey/tanstack-start"
 * import GitHub from "@latchkey/tanstack-start/providers/github"
 *
 * export const auth = TanStackStartAuth({ providers: [GitHub] })
 * ```
 * @throws TypeError if there is no such option
 * @param config the configuration, or a function that returns it for a request. Missing values, such as the secret, come from
 *   environment variables
 */
export function TanStackStartAuth<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config: ConfigOrFunction<AuthConfig<T, S>, [request: Request], Id, K, Mods>,
  options: TanStackStartAuthOptions & ModuleOptions<Mods> = {},
): WithMembers<StartAuth<Awaited<S>, Id>, Mods> {
  assertOptions("TanStackStartAuth", options, { env: anything, modules: anything } satisfies EveryOption<
    TanStackStartAuthOptions & ModuleOptions
  >)
  const { env = processEnv } = options
  const framework: Framework<StartRequest> = {
    basePath: "/auth",
    env: (event) => event && env(event.request),
    read(event) {
      const address = getRequestIP()
      return { ...read(event), address, isAddressForgeable: isForwardedAddress(event.request, address) }
    },
    toRequest: ({ request }) => request,
    requestOf: ({ request }) => request,
    setCookies: (_, cookies) => setCookies(cookies),
    preventCaching: keepOutOfCaches,
  }
  const given = typeof config === "function" ? forEvents(config, ({ request }: StartRequest) => [request]) : config
  const integration = atBuild(createIntegration<StartRequest, T, S>(given, framework, options), {
    isBuild: ({ request }) => isPrerendered(env(request)),
    advice: () => "Exclude it with `prerender.filter` in vite.config.ts",
  })
  const result: StartAuth<Awaited<S>, Id> = startAuth(integration)
  return withMembers(result, integration.members())
}

function startAuth<S>(auth: Integration<StartRequest, S>): StartAuth<S> {
  async function handle(request: Request): Promise<Response | undefined> {
    const response = await auth.handle({ request })
    // Start prefers cookies that a middleware has set before.
    addCookies(response?.headers.getSetCookie() ?? [])
    return response
  }

  const functions = currentFunctions(eventFunctions(auth, leave), current)

  return {
    async middleware({ request, handlerType, next }) {
      const response = await handle(request)
      if (response !== undefined) return response
      if (handlerType === "serverFn") markFunctionCall(request)
      const session = await auth.session({ request })
      try {
        return await next({ context: { session } })
      } finally {
        auth.finish({ request })
      }
    },
    handler: async (request) => (await handle(request)) ?? new Response("Not found", { status: 404 }),
    ...functions,
    session: functions.getSession,
    async requireSession({ callbackUrl, ...asked } = {}) {
      const access = await auth.requireSession({ ...current(), page: callbackUrl }, stepUpIn(asked))
      if (!("response" in access)) return access.session
      throw access.url === undefined ? access.response : redirectTo(access.url)
    },
    ...userFunctionsBy(auth, (request: Request | undefined) => request && { request }),
  }
}

function current(): StartRequest {
  return { request: getRequest() }
}

function leave({ to }: Destination): never {
  throw redirectTo(to)
}

/** The browser loads the next page as a document, so that no part of it keeps the old session. */
function redirectTo(href: string): AnyRedirect {
  // It depends on the cookies, so a cache must not serve it to others.
  const headers = { "cache-control": "private, no-store", vary: "Cookie" }
  return redirect({ href, statusCode: 303, reloadDocument: true, headers })
}
