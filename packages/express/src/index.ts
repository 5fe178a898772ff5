import type { ServerResponse } from "node:http"
import type { AuthConfig, Session } from "@latchkey/core"
import {
  AdapterError,
  AuthError,
  JWTSessionError,
  MissingCSRF,
  SessionTokenError,
  UntrustedHost,
} from "@latchkey/core/errors"
import {
  createIntegration,
  type Framework,
  type Integration,
  type Module,
  type PlainResponse,
  tokenBy,
  userFunctionsBy,
  type WithMembers,
  withMembers,
} from "@latchkey/core/integration"
import { addCookies, leave, sendAnswer, sendResponse } from "@latchkey/core/node-http"
import type { JWT, Provider, StepUp, WithProviders } from "@latchkey/core/types"
import type { Auth, Destination, ExpressAuthMiddleware, RequireSession, SessionMiddleware } from "./middleware.js"
import { mountPath } from "./mount.js"
import { type ExpressRequest, read, requestOf } from "./request.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type { Revoke, Token, UserExport, UserFunctions, WithMembers } from "@latchkey/core/integration"
export type { Account, DefaultSession, Profile, Session, User, UserAccount } from "@latchkey/core/types"
export type * from "./middleware.js"
export type { ExpressRequest } from "./request.js"

/**
 * The configuration. Missing values, such as the secret, come from environment variables. With `satisfies`, the session has
 * the type that the `session` callback returns. A variable of this type loses it.
 *
 * @example
 * ```ts
 * import { createAuth, type ExpressAuthConfig } from "@latchkey/express"
 *
 * const config = {
 *   providers: [],
 *   callbacks: { session: ({ session, token }) => ({ ...session, userId: token.sub }) },
 * } satisfies ExpressAuthConfig
 * const auth = createAuth(config)
 * ```
 */
export type ExpressAuthConfig<T extends JWT = JWT, S = Session> = Omit<AuthConfig<T, S>, "raw" | "providers"> & {
  providers: Provider[]
}

/** The session that the `session` callback returned, or `null` if no user is signed in. */
export type GetSessionResult<S = Session> = Promise<S | null>

/**
 * Creates a middleware that handles all routes below its mount path: sign-in, callbacks, session and sign-out. Unexpected
 * errors go to `next(error)`. New apps use {@link createAuth} instead.
 *
 * @example
 * ```ts
 * import { ExpressAuth } from "@latchkey/express"
 * import credentials from "@latchkey/express/providers/credentials"
 * import express from "express"
 * const app = express()
 * app.set("trust proxy", "loopback") // behind a reverse proxy on the same machine
 * app.use("/auth", ExpressAuth({ providers: [credentials({ authorize: () => null })] }))
 * ```
 */
export function ExpressAuth<T extends JWT = JWT, S = Session>(config: ExpressAuthConfig<T, S>): ExpressAuthMiddleware {
  return (req, res, next) =>
    attempt(next, async () => {
      const mount = mountPath(req)
      const auth = integrationFor(config, mount || (config.basePath ?? "/"))
      answerOr(next, await auth.answer({ req, res, isMounted: mount !== "" }), res)
    })
}

/**
 * Creates middleware for the auth routes and for your own routes, and functions that sign users in and out.
 *
 * @example
 * ```ts
 * import { createAuth } from "@latchkey/express"
 * import credentials from "@latchkey/express/providers/credentials"
 * import express from "express"
 *
 * const auth = createAuth({ providers: [credentials({ authorize: () => null })] })
 * const app = express()
 * app.use(auth.routes)
 * app.get("/account", auth.requireSession, (_req, res) => void res.send(res.locals.session.expires))
 * ```
 */
export function createAuth<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  const Mods extends readonly Module[] = readonly [],
>(config: WithProviders<ExpressAuthConfig<T, S>, Id, Mods>): WithMembers<Auth<Awaited<S>, Id>, Mods> {
  const auth = integrationFor(config, config.basePath)
  const protect: ExpressAuthMiddleware = (req, res, next) =>
    attempt(next, async () => {
      const call = { req, res }
      if (!isHandler(protect, req)) return respondOr(next, await auth.protect(call), res)
      const access = await auth.requireSession(call)
      await respondOr(next, "response" in access ? access.response : undefined, res)
    })
  const result: Auth<Awaited<S>, Id> = {
    routes: (req, res, next) => attempt(next, async () => answerOr(next, await auth.answer({ req, res }), res)),
    session: (req, res, next) =>
      attempt(next, async () => {
        res.locals.session = await auth.session({ req, res })
        next()
      }),
    requireSession: requireSessionOf(auth),
    protect,
    getSession: (req, res) => auth.session({ req, res }),
    signIn: async (req, res, provider, { redirect, ...options } = {}, params = {}) =>
      leave(await auth.signIn({ req, res }, provider, options, params).catch(toHome), res, redirect),
    signOut: async (req, res, { redirect, ...options } = {}) =>
      leave(await auth.signOut({ req, res }, options).catch(toHome), res, redirect),
    update: (req, res, data) => auth.update({ req, res }, data).catch(toNull),
    account: (req, res) => auth.account({ req, res }),
    ...userFunctionsBy(auth, () => undefined),
    token: tokenBy(auth.token, ([req, res, ...rest]) => [{ req, res }, ...rest]),
    csrfToken: (req, res) => auth.csrfToken({ req, res }),
  }
  return withMembers(result, auth.members())
}

function requireSessionOf<S>(auth: Integration<Call, S>): RequireSession<S> {
  const middleware =
    (asked?: StepUp): SessionMiddleware<S> =>
    (req, res, next) =>
      attempt(next, async () => {
        const access = await auth.requireSession({ req, res }, asked)
        if ("response" in access) return sendResponse(access.response, res)
        res.locals.session = access.session
        next()
      })
  const plain = middleware()
  // Express passes three arguments, and options come alone.
  const either = (...args: Parameters<SessionMiddleware<S>> | [asked: StepUp]): unknown =>
    args.length === 1 ? middleware(...args) : plain(...args)
  return either as RequireSession<S>
}

/**
 * Errors that a request of an attacker or a database failure can cause. The engine has logged them. Express 4 doesn't catch
 * what an async handler throws, so one of them would end the process.
 */
const requestErrors = [AdapterError, JWTSessionError, MissingCSRF, SessionTokenError, UntrustedHost]

function requireRequestError(error: unknown): AuthError {
  if (error instanceof AuthError && requestErrors.some((kind) => error instanceof kind)) return error
  throw error
}

function toHome(error: unknown): Destination {
  return { to: "/", error: requireRequestError(error) }
}

function toNull(error: unknown): null {
  requireRequestError(error)
  return null
}

/** Whether middleware belongs to the matched route. Then the route isn't open to everyone, whatever its path. */
function isHandler(middleware: unknown, req: object): boolean {
  const { route }: Routed = req
  return route?.stack?.some(({ handle }) => handle === middleware) === true
}

/** What Express sets on a request that a route has matched. Earlier routes may have passed it on. */
interface Routed {
  readonly route?: { readonly stack?: readonly { readonly handle: unknown }[] }
}

async function respondOr(next: () => void, response: Response | undefined, res: ServerResponse): Promise<void> {
  if (response === undefined) return next()
  await sendResponse(response, res)
}

function answerOr(next: () => void, answer: PlainResponse | undefined, res: ServerResponse): void {
  if (answer === undefined) next()
  else sendAnswer(answer, res)
}

/** Express 4 doesn't catch what an async middleware throws. */
async function attempt(next: (error: unknown) => void, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    next(error)
  }
}

/**
 * Returns the session of the user who sent `req`. With `res`, the session cookie is also renewed if it's due. Call it before
 * you send the response. Several calls for one request read the session once.
 *
 * @example
 * ```ts
 * import { type ExpressAuthConfig, getSession } from "@latchkey/express"
 * import type { RequestHandler } from "express"
 * export const currentSession = (config: ExpressAuthConfig): RequestHandler => async (req, res, next) => {
 *   res.locals["session"] = await getSession(req, config, res)
 *   next()
 * }
 * ```
 * @throws {AuthError} if the configuration is invalid. If the database fails or the host isn't trusted, it returns `null`
 */
export async function getSession<T extends JWT = JWT, S = Session>(
  req: ExpressRequest,
  config: ExpressAuthConfig<T, S>,
  res?: ServerResponse,
): GetSessionResult<Awaited<S>> {
  return integrationFor(config, config.basePath).session({ req, res })
}

/** A request and its response, which sets cookies. */
interface Call {
  readonly req: ExpressRequest
  readonly res?: ServerResponse | undefined
  readonly isMounted?: boolean
}

const express: Framework<Call> = {
  basePath: "/auth",
  read: ({ req }) => read(req),
  toRequest: ({ req }) => requestOf(req),
  requestOf: ({ req }) => req,
  setCookies: ({ res }, cookies) => res !== undefined && addCookies(res, cookies),
  isSent: ({ res }) => res === undefined || res.headersSent,
  isMounted: ({ isMounted = false }) => isMounted,
}

const integrations = new WeakMap<object, Map<string, Integration<Call, unknown>>>()

/** The limit matters for mount paths with parameters, because the client chooses their values. */
const maxMounts = 64

/** Returns the integration for a configuration and a mount path. All of one configuration share its rate limits. */
function integrationFor<T extends JWT, S>(
  config: WithProviders<ExpressAuthConfig<T, S>, string>,
  basePath: string | undefined,
): Integration<Call, Awaited<S>> {
  const mounts = integrations.get(config) ?? new Map<string, Integration<Call, unknown>>()
  integrations.set(config, mounts)
  const key = basePath ?? ""
  if (mounts.size >= maxMounts && !mounts.has(key)) mounts.clear()
  // The types that the callbacks return don't matter here.
  const integration = mounts.get(key) ?? createIntegration({ ...config, basePath } as AuthConfig, express)
  mounts.set(key, integration)
  return integration as Integration<Call, Awaited<S>>
}
