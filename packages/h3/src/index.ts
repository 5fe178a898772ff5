import { withEnv } from "@latchkey/core"
import {
  type ConfigOrFunction,
  createIntegration,
  type EventFunctions,
  eventFunctions,
  type Framework,
  type Module,
  type ModuleOptions,
  type WithMembers,
  withMembers,
} from "@latchkey/core/integration"
import type { AuthConfig, JWT, Provider, Session, StepUp } from "@latchkey/core/types"
import { addCookies, envOf, isSent, protectFromCaches, readRequest, rootOf, toRequest } from "./event.js"
import type { H3Event } from "./model.js"
import { SessionRequired } from "./session-required.js"

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
export type { H3Event } from "./model.js"
export type { SessionRequired } from "./session-required.js"

/** The configuration. Missing values, such as the secret, come from environment variables. */
export type H3AuthConfig<T extends JWT = JWT, S = Session> = Omit<AuthConfig<T, S>, "raw" | "providers"> & {
  providers: Provider[]
}

/** What `H3Auth` returns. */
export interface H3AuthResult<S = Session, Id extends string = string> extends EventFunctions<H3Event, S, Id> {
  /** Responds to the auth routes. Use it as a middleware, or as the handler of `/auth/**`. */
  readonly handler: (event: H3Event, next?: () => unknown) => Promise<unknown>
  /** The same as `getSession`, under the name of other packages for Nuxt. */
  readonly getServerSession: (event: H3Event) => Promise<S | null>
  /**
   * The current session. With `asked`, a user whose sign-in isn't recent or strong enough is asked again.
   *
   * @throws SessionRequired without one: h3 answers 401, or redirects to the sign-in page if a browser opens a page
   */
  readonly requireSession: (event: H3Event, asked?: StepUp) => Promise<S>
  /** The paths of the auth routes and of the sign-in page, for links. */
  readonly paths: (event: H3Event) => Promise<AuthPaths>
}

export interface AuthPaths {
  /** Path of the auth routes, such as `/auth`. */
  readonly base: string
  /** Path or URL of the sign-in page. */
  readonly signIn: string
}

const basePath = "/auth"

const framework: Framework<H3Event> = {
  basePath,
  env: envOf,
  read: readRequest,
  toRequest,
  requestOf: rootOf,
  setCookies: addCookies,
  isSent,
}

/**
 * Creates what an application with h3 or Nitro needs to sign users in.
 *
 * @example
 * ```ts
 * import { H3Auth } from "@latchkey/h3"
 * import GitHub from "@latchkey/h3/providers/github"
 * import { H3 } from "h3"
 *
 * const auth = H3Auth({ providers: [GitHub] })
 * export const app = new H3()
 *   .use(auth.handler)
 *   .get("/api/me", async (event) => (await auth.requireSession(event)).user ?? null)
 * ```
 * @param config the configuration, or a function that returns it for an event
 * @param options the modules, if the configuration is a function
 */
export function H3Auth<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config: ConfigOrFunction<H3AuthConfig<T, S>, [event: H3Event], Id, K, Mods>,
  options: ModuleOptions<Mods> = {},
): WithMembers<H3AuthResult<Awaited<S>, Id>, Mods> {
  const integration = createIntegration<H3Event, T, S>(config, framework, options)
  const auth: H3AuthResult<Awaited<S>, Id> = {
    async handler(event, next) {
      // The session itself stays out of the context: handlers whose response is cached get the context too.
      Object.assign(event.context, { auth })
      const response = await integration.handle(event)
      if (response !== undefined) {
        addCookies(event, response.headers.getSetCookie())
        response.headers.delete("set-cookie")
        return response
      }
      if (next === undefined) return isRouteHandler(event) ? notFound() : undefined
      const result = await next()
      protectFromCaches(event)
      return result
    },
    ...eventFunctions(integration),
    getServerSession: integration.session,
    async requireSession(event, asked): Promise<Awaited<S>> {
      const access = await integration.requireSession(event, asked)
      if ("response" in access) throw new SessionRequired(event, access.response)
      return access.session
    },
    async paths(event) {
      const own = (typeof config === "function" ? await config(event) : config) as AuthConfig
      const { basePath: base = basePath, pages } = withEnv(own, envOf(event), { basePath })
      return { base, signIn: pages?.signIn || `${base.replace(/\/+$/, "")}/signin` }
    },
  }
  // h3 1 warns about handlers without this mark.
  Object.assign(auth.handler, { __is_handler__: true })
  return withMembers(auth, integration.members())
}

function isRouteHandler({ context }: H3Event): boolean {
  return "matchedRoute" in context && context.matchedRoute !== undefined
}

function notFound(): Response {
  return Response.json({ message: "Not found." }, { status: 404 })
}
