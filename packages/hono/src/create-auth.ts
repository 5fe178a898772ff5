import {
  type ConfigOrFunction,
  createIntegration,
  eventFunctions,
  type Integration,
  type Module,
  type ModuleOptions,
  type StepUp,
  type WithMembers,
  withMembers,
} from "@latchkey/core/integration"
import type { AuthConfig as CoreConfig, JWT, Session } from "@latchkey/core/types"
import type { Context, MiddlewareHandler, Next } from "hono"
import { matchedRoutes } from "hono/route"
import type { Auth, SessionMiddleware } from "./model.js"
import { hono, replace } from "./request.js"

/** The configuration. Missing values, such as the secret, come from environment variables or bindings. */
export interface AuthConfig<T extends JWT = JWT, S = Session> extends Omit<CoreConfig<T, S>, "raw"> {}

/**
 * Creates middleware for the auth routes and for your own routes, and functions that sign users in and out.
 *
 * @example
 * ```ts
 * import { createAuth } from "@latchkey/hono"
 * import GitHub from "@latchkey/hono/providers/github"
 * import { Hono } from "hono"
 *
 * const auth = createAuth({ providers: [GitHub] })
 * const app = new Hono()
 * app.use(auth.routes)
 * app.get("/account", auth.requireSession, (c) => c.text(`Hello ${c.var.session.user?.name}`))
 * export default app
 * ```
 * @param config the configuration, or a function that returns it for a request, for example from bindings of a Worker
 * @param options the modules, if the configuration is a function
 */
export function createAuth<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config: ConfigOrFunction<AuthConfig<T, S>, [c: Context], Id, K, Mods>,
  options: ModuleOptions<Mods> = {},
): WithMembers<Auth<Awaited<S>, Id>, Mods> {
  const withCookies = new WeakSet<Context>()
  const isSent = (c: Context) => !withCookies.has(c)
  const auth = createIntegration<Context, T, S>(config, { ...hono, isSent }, options)
  const result: Auth<Awaited<S>, Id> = {
    routes: routesOf(auth, withCookies),
    async session(c, next) {
      c.set("session", await auth.session(c))
      await next()
    },
    requireSession: requireSessionOf(auth),
    async protect(c, next) {
      if (isMiddleware(c)) return (await auth.protect(c)) ?? next()
      const access = await auth.requireSession(c)
      return "response" in access ? access.response : next()
    },
    ...eventFunctions(auth),
  }
  return withMembers(result, auth.members())
}

function requireSessionOf<S>(auth: Integration<Context, S>): SessionMiddleware<S> {
  const middleware =
    (asked?: StepUp): SessionHandler<S> =>
    async (c, next) => {
      const access = await auth.requireSession(c, asked)
      if ("response" in access) return access.response
      c.set("session", access.session)
      await next()
      return undefined
    }
  const plain = middleware()
  // Hono passes `next`, and options come alone.
  const either = (first: Context | StepUp, next?: Next): unknown =>
    next === undefined ? middleware(first as StepUp) : plain(first as Context, next)
  return either as SessionMiddleware<S>
}

type SessionHandler<S> = MiddlewareHandler<{ Variables: { session: S } }>

/** `withCookies` has the requests whose response can still get cookies. */
function routesOf<S>({ handle, finish }: Integration<Context, S>, withCookies: WeakSet<Context>): MiddlewareHandler {
  return async (c, next) => {
    const response = await handle(c)
    if (response !== undefined) return finish(c, response)
    withCookies.add(c)
    await next()
    replace(c, finish(c, c.res))
    withCookies.delete(c)
    return undefined
  }
}

/** Whether the running function is middleware for many routes. A route isn't open to everyone, whatever its path. */
function isMiddleware(c: Context): boolean {
  const running = matchedRoutes(c)[c.req.routeIndex]
  return running?.method === "ALL" && running.path.endsWith("*")
}
