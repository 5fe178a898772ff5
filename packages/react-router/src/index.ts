import {
  atBuild,
  type ConfigOrFunction,
  createIntegration,
  type Destination,
  eventFunctions,
  eventFunctionsBy,
  type Framework,
  type Integration,
  type Module,
  type ModuleOptions,
  processEnv,
  showing,
  type WithMembers,
  withMembers,
} from "@latchkey/core/integration"
import { anything, assertOptions, type EveryOption } from "@latchkey/core/options"
import type { AuthConfig, JWT, Session } from "@latchkey/core/types"
import { createContext, type RouterContext, redirectDocument } from "react-router"
import type { AuthArgs, ReactRouterAuthOptions, RouteArgs, RouterAuth } from "./model.js"
import { type Incoming, isDataRequest, isPrerendered, read, toRequest } from "./request.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type {
  Destination,
  Env,
  Revoke,
  SignIn,
  SignInOptions,
  SignOut,
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
export type {
  AuthArgs,
  ReactRouterAuthOptions,
  RouteArgs,
  RouterAuth,
} from "./model.js"

/**
 * Creates what an application of React Router needs to sign users in.
 *
 * @example
 * ```ts
 * import { ReactRouterAuth } from "@latchkey/react-router"
 * import GitHub from "@latchkey/react-router/providers/github"
 *
 * export const auth = ReactRouterAuth({ providers: [GitHub] })
 * ```
 * @throws TypeError if there is no such option
 * @param config the configuration, or a function that returns it for a request. Missing values, such as the secret, come from
 *   environment variables
 */
export function ReactRouterAuth<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config: ConfigOrFunction<AuthConfig<T, S>, [args: RouteArgs], Id, K, Mods>,
  options: ReactRouterAuthOptions & ModuleOptions<Mods> = {},
): WithMembers<RouterAuth<Awaited<S>, Id>, Mods> {
  assertOptions("ReactRouterAuth", options, {
    env: anything,
    clientAddress: anything,
    modules: anything,
  } satisfies EveryOption<ReactRouterAuthOptions & ModuleOptions>)
  const { env = processEnv, clientAddress } = options
  const framework: Framework<Incoming> = {
    basePath: "/auth",
    env: (incoming) => incoming && env(incoming),
    read: (incoming) => ({ ...read(incoming), address: clientAddress?.(incoming) }),
    toRequest,
  }
  const integration = atBuild(createIntegration<Incoming, T, S>(config, framework, options), {
    isBuild: (incoming) => isPrerendered(env(incoming)),
    advice: () => "Remove it from `prerender` in react-router.config.ts",
  })
  const result: RouterAuth<Awaited<S>, Id> = routerAuth(integration)
  return withMembers(result, integration.members())
}

function routerAuth<S>(integration: Integration<Incoming, S>): RouterAuth<S> {
  const sessionContext: RouterContext<S | null> = createContext<S | null>(null)
  const auth = showing(integration, ({ context }, session) => context.set(sessionContext, session))
  const { incomingContext, incomingOf } = createIncoming()

  const functions = eventFunctionsBy(eventFunctions(auth, leave), incomingOf)

  return {
    async middleware({ request, context }, next) {
      // A layout can list it again.
      if (context.get(incomingContext)?.request === request) return next()
      const incoming: Incoming = { request, context }
      const response = await handle(auth, incoming)
      if (response !== undefined) return response
      context.set(incomingContext, incoming)
      context.set(sessionContext, await auth.session(incoming))
      return auth.finish(incoming, await next())
    },
    async protect(args, next) {
      const response = await auth.protect(incomingOf(args))
      if (response !== undefined) throw response
      return next()
    },
    loader: (args) => route(auth, args),
    action: (args) => route(auth, args),
    sessionContext,
    ...functions,
    session: functions.getSession,
    async requireSession(args, asked) {
      const access = await auth.requireSession(incomingOf(args), asked)
      if ("response" in access) throw access.response
      return access.session
    },
  }
}

/** The browser loads the next page as a document, so that no part of it keeps the old session. */
function leave({ to }: Destination): Response {
  return redirectDocument(to, 303)
}

/** Where the middleware keeps the request for the functions that get only the context. */
function createIncoming() {
  const incomingContext = createContext<Incoming | null>(null)

  function incomingOf({ context }: AuthArgs): Incoming {
    const incoming = context.get(incomingContext)
    if (incoming !== null) return incoming
    throw new Error("The middleware didn't run: add `export const middleware = [auth.middleware]` to app/root.tsx.")
  }

  return { incomingContext, incomingOf }
}

async function handle(auth: Integration<Incoming, unknown>, incoming: Incoming): Promise<Response | undefined> {
  const response = await auth.handle(incoming)
  // A `<Link>` to the sign-in page fetches data, but the page is a document.
  const isLink = incoming.request.method === "GET" && isDataRequest(incoming.request)
  return isLink && response !== undefined ? redirectDocument(read(incoming).page) : response
}

/** Without the middleware, or if the base path is another one than that of the route. */
async function route(auth: Integration<Incoming, unknown>, { request, context }: RouteArgs): Promise<Response> {
  return (await handle(auth, { request, context })) ?? new Response("Not found", { status: 404 })
}
