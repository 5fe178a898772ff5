import {
  atBuild,
  type Build,
  type ConfigOrFunction,
  createIntegration,
  type EventFunctions,
  eventFunctions,
  type Framework,
  type Integration,
  type Module,
  type ModuleOptions,
  seeOther,
  showing,
  type WithMembers,
  withMembers,
} from "@latchkey/core/integration"
import type { AuthConfig, JWT, Provider, Session, StepUp } from "@latchkey/core/types"
import { type AuthActions, createActions, type DefineAction, destinationOf } from "./actions.js"
import { type AstroContext, envOf, readRequest, toRequest } from "./context.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type {
  Destination,
  Revoke,
  SignIn,
  SignInOptions,
  SignOut,
  SignOutOptions,
  Token,
  UserExport,
  UserFunctions,
  WithMembers,
} from "@latchkey/core/integration"
export type { Account, DefaultSession, Profile, Session, User, UserAccount } from "@latchkey/core/types"
export type { ActionResult, AuthActions } from "./actions.js"
export type { AstroContext } from "./context.js"

/** The configuration. Missing values, such as the secret, come from environment variables. */
export type AstroAuthConfig<T extends JWT = JWT, S = Session> = Omit<AuthConfig<T, S>, "raw" | "providers"> & {
  providers: Provider[]
}

type Endpoint = (context: AstroContext) => Promise<Response>
type Middleware = (context: AstroContext, next: () => Promise<Response>) => Promise<Response>

/** What `AstroAuth` returns. */
export interface AstroAuthResult<S = Session, Id extends string = string> extends EventFunctions<AstroContext, S, Id> {
  /** The middleware, for `src/middleware.ts`. It puts the session into `locals.session`. */
  readonly onRequest: Middleware
  /** The auth routes, for `src/pages/auth/[...auth].ts`. */
  readonly GET: Endpoint
  readonly POST: Endpoint
  /**
   * The current session, or the response to return instead: a redirect to the sign-in page, or 401 if no browser opens a page.
   * With `asked`, a user whose sign-in isn't recent or strong enough is asked again.
   *
   * @throws Error on a prerendered page
   */
  readonly requireSession: (context: AstroContext, asked?: StepUp) => Promise<S | Response>
  /** The actions `signIn` and `signOut` for forms and scripts. Pass `defineAction` of `astro:actions`. */
  readonly actions: (defineAction: DefineAction) => AuthActions
}

/**
 * Creates what an Astro site needs to sign users in.
 *
 * @example
 * ```ts
 * import { AstroAuth } from "@latchkey/astro"
 * import GitHub from "@latchkey/astro/providers/github"
 *
 * export const auth = AstroAuth({ providers: [GitHub] })
 * export const { onRequest } = auth // in src/middleware.ts
 * export const { GET, POST } = auth // in src/pages/auth/[...auth].ts
 * ```
 * @param config the configuration, or a function that returns it for a request
 * @param options the modules, if the configuration is a function
 */
export function AstroAuth<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config: ConfigOrFunction<AstroAuthConfig<T, S>, [context: AstroContext], Id, K, Mods>,
  options: ModuleOptions<Mods> = {},
): WithMembers<AstroAuthResult<Awaited<S>, Id>, Mods> {
  const integration = showing(
    atBuild(createIntegration<AstroContext, T, S>(config, framework, options), build),
    showSession,
  )

  const endpoint: Endpoint = async (context) => (await integration.handle(context)) ?? notFound()
  const result: AstroAuthResult<Awaited<S>, Id> = {
    onRequest: createMiddleware(integration),
    GET: endpoint,
    POST: endpoint,
    ...eventFunctions(integration),
    async requireSession(context, asked): Promise<Awaited<S> | Response> {
      const access = await integration.requireSession(context, asked)
      return "response" in access ? access.response : access.session
    },
    actions: (defineAction) => createActions(defineAction, result),
  }
  return withMembers(result, integration.members())
}

const framework: Framework<AstroContext> = {
  basePath: "/auth",
  env: () => envOf(),
  read: readRequest,
  toRequest,
  // A rewrite changes the context, but not `locals`.
  requestOf: ({ locals }) => locals,
}

const build: Build<AstroContext> = {
  isBuild: ({ isPrerendered }) => isPrerendered,
  advice: () => "Add `export const prerender = false`",
}

/** A page that renders after an action gets the session that it has left. */
function showSession({ locals }: AstroContext, session: unknown): void {
  Object.assign(locals, { session })
}

function createMiddleware({
  handle,
  session,
  finish,
}: Pick<Integration<AstroContext, unknown>, "handle" | "session" | "finish">): Middleware {
  return async (context, next) => {
    const { locals } = context
    const response = await handle(context)
    if (response !== undefined) return response
    // After a rewrite, the middleware runs again inside of itself.
    if (entered.has(locals)) return next()
    entered.add(locals)
    showSession(context, await session(context))
    const page = await next()
    const to = destinationOf(context)
    return finish(context, to === undefined ? page : seeOther({ to }))
  }
}

/** The `locals` of requests whose outermost middleware runs. */
const entered = new WeakSet<object>()

function notFound(): Response {
  return Response.json({ message: "Not found." }, { status: 404 })
}
