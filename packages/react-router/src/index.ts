import {
  processEnv,
  createIntegration,
  type Destination,
  type Framework,
  type Integration,
  type Module,
  type ModuleOptions,
  type SignInOptions,
  type WithMembers,
  withMembers,
  type SignOutInput,
} from "@latchkey/core/integration"
import { anything, assertOptions, type EveryOption } from "@latchkey/core/options"
import type { AuthConfig, Awaitable, JWT, OnlyOptions, Session, WithProviders } from "@latchkey/core/types"
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
  config:
    | WithProviders<AuthConfig<T, S>, Id, Mods>
    | ((args: RouteArgs) => Awaitable<OnlyOptions<WithProviders<AuthConfig<T, S>, Id>, K>>),
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
    env: (incoming) => (incoming === undefined ? processEnv() : env(incoming)),
    read: (incoming) => ({ ...read(incoming), address: clientAddress?.(incoming) }),
    toRequest,
  }
  const integration = createIntegration<Incoming, T, S>(config, framework, options)
  const result: RouterAuth<Awaited<S>, Id> = routerAuth(integration, (incoming) => isPrerendered(env(incoming)))
  return withMembers(result, integration.members())
}

function routerAuth<S>(auth: Integration<Incoming, S>, hasNoVisitor: (incoming: Incoming) => boolean): RouterAuth<S> {
  const sessionContext: RouterContext<S | null> = createContext<S | null>(null)
  const { incomingContext, incomingOf } = createIncoming()

  async function refresh(args: AuthArgs): Promise<void> {
    args.context.set(sessionContext, await auth.session(incomingOf(args)))
  }

  /** The browser loads the next page as a document, so that no part of it keeps the old session. */
  async function act(args: AuthArgs, keepsPage: boolean, work: (incoming: Incoming) => Promise<Destination>) {
    const destination = await work(incomingOf(args))
    await refresh(args)
    return keepsPage ? destination : redirectDocument(destination.to, 303)
  }

  function signIn(
    args: AuthArgs,
    provider?: string,
    options?: SignInOptions,
    params?: Readonly<Record<string, string>>,
  ) {
    const keepsPage = options?.["redirect"] === false
    return act(args, keepsPage, (incoming) => auth.signIn(incoming, provider, options, params))
  }

  function signOut(args: AuthArgs, options?: SignOutInput) {
    return act(args, options?.redirect === false, (incoming) => auth.signOut(incoming, options))
  }

  return {
    async middleware({ request, context }, next) {
      // A layout can list it again.
      if (context.get(incomingContext)?.request === request) return next()
      const incoming: Incoming = { request, context }
      const response = await handle(auth, incoming)
      if (response !== undefined) return response
      context.set(incomingContext, incoming)
      context.set(sessionContext, hasNoVisitor(incoming) ? null : await auth.session(incoming))
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
    session: async (args) => auth.session(incomingOf(args)),
    async requireSession(args) {
      const access = await auth.requireSession(incomingOf(args))
      if ("response" in access) throw access.response
      return access.session
    },
    // `redirect` decides which overload applies.
    signIn: signIn as RouterAuth["signIn"],
    signOut: signOut as RouterAuth["signOut"],
    async update(args, data) {
      const session = await auth.update(incomingOf(args), data)
      args.context.set(sessionContext, session)
      return session
    },
    account: (args) => auth.account(incomingOf(args), () => refresh(args)),
    revoke: async (userId, reason, args) => auth.revoke(userId, reason, args && incomingOf(args)),
    csrfToken: async (args) => auth.csrfToken(incomingOf(args)),
  }
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
