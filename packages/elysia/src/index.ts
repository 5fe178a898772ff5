import type * as shared from "@latchkey/core/integration"
import {
  createIntegration,
  type CurrentFunctions,
  currentFunctions,
  eventFunctions,
  type Framework,
  type Integration,
  type Module,
  type ModuleOptions,
  type UserFunctions,
  userFunctionsBy,
  type WithMembers,
  withMembers,
} from "@latchkey/core/integration"
import type {
  AuthConfig,
  Awaitable,
  JWT,
  OnlyOptions,
  Session,
  StepUp,
  UserAccount,
  WithProviders,
} from "@latchkey/core/types"
import { Elysia, type ElysiaCustomStatusResponse } from "elysia"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type {
  AuthorizationParams,
  Destination,
  Revoke,
  SignInOptions,
  SignOutOptions,
  Token,
  UserExport,
  UserFunctions,
  WithMembers,
} from "@latchkey/core/integration"
export type { Account, AuthConfig, DefaultSession, Profile, Session, User, UserAccount } from "@latchkey/core/types"

/** The functions in the context of every handler, as `auth`. */
export interface Auth<S = Session, Id extends string = string>
  extends Omit<CurrentFunctions<S, Id>, "account">,
    UserFunctions {
  /** The same. @deprecated Use `getSession`, the name in all packages */
  session(): Promise<S | null>
  /**
   * The account of the user who sent the request: their passkeys, linked accounts, sessions and email. A change that another
   * site requests is refused.
   */
  readonly account: UserAccount
}

/** Starts a sign-in, or ends one for credentials. It returns a redirect (303), or where to send the user with `redirect: false`. */
export type SignIn<Id extends string = string> = shared.SignIn<never, Id>

/** Ends the session. It returns a redirect (303), or where to send the user with `redirect: false`. */
export type SignOut = shared.SignOut<never>

/**
 * Creates a plugin that answers the auth routes and adds {@link Auth} to the context as `auth`. Routes with
 * `requireSession: true` have a `session`. Without one, a page redirects to the sign-in page, and other requests get 401.
 *
 * @example
 * ```ts
 * import { latchkey } from "@latchkey/elysia"
 * import GitHub from "@latchkey/elysia/providers/github"
 * import { Elysia } from "elysia"
 *
 * const app = new Elysia()
 *   .use(latchkey({ providers: [GitHub] }))
 *   .get("/", async ({ auth }) => (await auth.getSession())?.user?.name ?? "Not signed in")
 *   .get("/account", ({ session }) => session, { requireSession: true })
 *   .listen(3000)
 * ```
 * @param config the configuration, or a function that returns it for a request. Missing values, such as the secret, come from
 *   environment variables
 * @param options the modules, if the configuration is a function
 */
export function latchkey<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config: WithProviders<LatchkeyConfig<T, S>, Id, Mods> | ConfigFunction<T, S, Id, K>,
  options: ModuleOptions<Mods> = {},
): Plugin<Awaited<S>, Id, Mods> {
  const auth = createIntegration<Exchange, T, S>(config, framework, options)
  /** The cookies of auth routes, for the requests that get them in the end. Elysia's adapter for Node would keep only one. */
  const cookiesOf = new WeakMap<Request, string[]>()

  const authOf = (exchange: Exchange) =>
    withMembers<Auth<Awaited<S>>, Mods>(functionsOf(auth, exchange), auth.members(exchange))

  const plugin = new Elysia({ name: "@latchkey/elysia", seed: ++plugins })
    // Around everything, because handlers, hooks and adapters lose cookies that are set before they respond.
    .wrap((handle) => async (request: Request) => {
      cookiesOf.set(request, [])
      const response: unknown = await Promise.resolve(handle(request))
      if (!(response instanceof Response)) return response
      const exchange = { request, address: undefined }
      const cookies = cookiesOf.get(request) ?? []
      if (cookies.length === 0) return auth.finish(exchange, response)
      const copy = new Response(response.body, response)
      for (const cookie of cookies) copy.headers.append("set-cookie", cookie)
      return auth.finish(exchange, copy)
    })
    .onRequest(async ({ request, server }) => {
      if (!cookiesOf.has(request)) throw new Error("@latchkey/elysia can't set cookies with `aot: false`. Remove it")
      const response = await auth.handle({ request, address: addressOf(request, server) })
      if (response === undefined) return undefined
      cookiesOf.set(request, response.headers.getSetCookie())
      response.headers.delete("set-cookie")
      return response
    })
    .derive({ as: "global" }, ({ request, server }) => ({
      auth: authOf({ request, address: addressOf(request, server) }),
    }))
    .macro({
      requireSession: (asked: boolean | StepUp) => {
        if (asked === false) return
        return {
          async resolve({ request, server, status }) {
            const exchange = { request, address: addressOf(request, server) }
            const access = await auth.requireSession(exchange, asked === true ? undefined : asked)
            // The type names one status. The response has the real one.
            return "response" in access ? status(401, access.response) : { session: access.session }
          },
        }
      },
    })
  // The inferred type repeats Elysia's whole context.
  return plugin as unknown as Plugin<Awaited<S>, Id, Mods>
}

function functionsOf<S>(auth: Integration<Exchange, S>, exchange: Exchange): Auth<S> {
  const functions = currentFunctions(eventFunctions(auth), () => exchange)
  return {
    ...functions,
    session: functions.getSession,
    get account() {
      return auth.account(exchange)
    },
    ...userFunctionsBy(auth, () => exchange),
  }
}

/** What the plugin adds to an application: `auth` in every context, and `session` in those with `requireSession: true`. */
export type Plugin<S = Session, Id extends string = string, Mods extends readonly Module[] = readonly []> = Elysia<
  "",
  { decorator: {}; store: {}; derive: { readonly auth: WithMembers<Auth<S, Id>, Mods> }; resolve: {} },
  { typebox: {}; error: {} },
  {
    schema: {}
    standaloneSchema: {}
    macro: { readonly requireSession?: boolean | StepUp }
    macroFn: { requireSession: { resolve(): Promise<{ session: S } | Refusal> } }
    parser: {}
    response: {}
  }
>

/** A redirect to the sign-in page, 401, or 503 if the database fails. */
type Refusal = ElysiaCustomStatusResponse<401, Response>

/** The configuration. Missing values, such as the secret, come from environment variables. */
export type LatchkeyConfig<T extends JWT = JWT, S = Session> = Omit<AuthConfig<T, S>, "raw">

/** Returns the configuration for a request, for platforms that pass environment variables with it. */
export type ConfigFunction<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
> = (event: { readonly request: Request }) => Awaitable<OnlyOptions<WithProviders<LatchkeyConfig<T, S>, Id>, K>>

/** Elysia adds a plugin once for each name and seed, so that modules of an application can all use it. */
let plugins = 0

interface Exchange {
  readonly request: Request
  readonly address: string | undefined
}

const framework: Framework<Exchange> = {
  basePath: "/auth",
  requestOf: ({ request }) => request,
  read: ({ request, address }) => ({
    method: request.method,
    url: new URL(request.url),
    headers: request.headers,
    address,
  }),
  toRequest: ({ request }) => request,
}

interface BunServer {
  requestIP?(request: Request): { readonly address: string } | null
}

/** The adapter for Node has the IP address on the request, Bun on the server. */
function addressOf(request: Request & { readonly ip?: string }, server: BunServer | null): string | undefined {
  return request.ip ?? server?.requestIP?.(request)?.address
}
