import type { ServerResponse } from "node:http"
import { type AuthConfig, isAuthAction, type Session, withEnv } from "@latchkey/core"
import { JWTSessionError, SessionTokenError, UntrustedHost } from "@latchkey/core/errors"
import { addCookies } from "@latchkey/core/node-http"
import { createServer, type Server } from "@latchkey/core/server"
import type { JWT, Provider } from "@latchkey/core/types"
import { mountPath, pathOf } from "./mount.js"
import { clientIp, type ExpressRequest, requestOf, visitorOf } from "./request.js"
import { respond } from "./respond.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type { Account, DefaultSession, Profile, Session, User } from "@latchkey/core/types"
export type { ExpressRequest } from "./request.js"

/** The configuration. Missing values, such as the secret, come from environment variables. */
export type ExpressAuthConfig<T extends JWT = JWT, S = Session> = Omit<AuthConfig<T, S>, "raw" | "providers"> & {
  providers: Provider[]
}

/** The session that the `session` callback returned, or `null` if no user is signed in. */
export type GetSessionResult<S = Session> = Promise<S | null>

/** A middleware for Express 4 and 5. */
export type ExpressAuthMiddleware = (
  req: ExpressRequest,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>

/**
 * Creates a middleware that handles all routes below its mount path: sign-in, callbacks, session and sign-out. Unexpected
 * errors go to `next(error)`.
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
  return async (req, res, next) => {
    try {
      const mount = mountPath(req)
      if (mount === "" && !isAuthRoute(config, pathOf(req.originalUrl))) return next()
      const request = requestOf(req)
      const server = serverFor(config, mount || (config.basePath ?? "/"))
      await respond(
        request === undefined ? badRequest() : await server.handle(request, { address: clientIp(req) }),
        res,
      )
    } catch (error) {
      next(error)
    }
  }
}

/**
 * Returns the session of the user who sent `req`. With `res`, the session cookie is also renewed if it's due. Call it before
 * you send the response.
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
): GetSessionResult<S> {
  const server = serverFor(config, config.basePath)
  const { session, cookies, error } = await server.session(visitorOf(req), { readOnly: res === undefined })
  if (error !== undefined && !ignoredErrors.some((kind) => error instanceof kind)) throw error
  if (res !== undefined) addCookies(res, cookies)
  return session
}

/**
 * Errors that a single request or a database failure can cause. Express 4 doesn't catch errors of async middleware, so an
 * attacker could end the process with such a request. Other errors affect every request until you fix the configuration.
 */
const ignoredErrors = [JWTSessionError, SessionTokenError, UntrustedHost]

const servers = new WeakMap<object, Map<string, Server<unknown>>>()

/** The limit matters for mount paths with parameters, because the client chooses their values. */
const maxMounts = 64

/** Returns the server for a configuration and a mount path. */
function serverFor<T extends JWT, S>(config: ExpressAuthConfig<T, S>, basePath: string | undefined): Server<S> {
  const mounts = servers.get(config) ?? new Map<string, Server<unknown>>()
  servers.set(config, mounts)
  const key = basePath ?? ""
  if (mounts.size >= maxMounts && !mounts.has(key)) mounts.clear()
  // The types that the callbacks return don't matter here.
  const server =
    mounts.get(key) ?? createServer(withEnv({ ...config, basePath } as AuthConfig, process.env), { madeFrom: config })
  mounts.set(key, server)
  return server as Server<S>
}

/** Mounted without a path, the middleware gets every request of the app. It handles only its own routes. */
function isAuthRoute(config: Pick<AuthConfig, "basePath" | "modules">, path: string): boolean {
  const base = config.basePath?.replace(/\/+$/, "") ?? ""
  if (base !== "") return path === base || path.startsWith(`${base}/`)
  const [, name = ""] = path.split("/")
  return isAuthAction(name) || routesOf(config).has(name)
}

function routesOf(config: Pick<AuthConfig, "modules">): ReadonlySet<string> {
  const keys = config.modules?.flatMap((module) => Object.keys(module.routes ?? {})) ?? []
  return new Set(keys.map((key) => key.slice(key.indexOf(" ") + 1)))
}

function badRequest(): Response {
  return Response.json("Bad request.", { status: 400 })
}
