import type { ServerResponse } from "node:http"
import { type AuthConfig, isAuthAction, type Session, withEnv } from "@latchkey/core"
import { JWTSessionError, SessionTokenError, UntrustedHost } from "@latchkey/core/errors"
import { addCookies } from "@latchkey/core/node-http"
import { createServer, type Server } from "@latchkey/core/server"
import type { JWT } from "@latchkey/core/types"
import { mountOf, pathOf } from "./mount.js"
import { addressOf, type ExpressRequest, requestOf, visitorOf } from "./request.js"
import { respond } from "./respond.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type { Account, DefaultSession, Profile, Session, User } from "@latchkey/core/types"
export type { ExpressRequest } from "./request.js"

/** The configuration of the engine; what is missing is taken from the environment (spec/config.md §6). */
export type ExpressAuthConfig<T extends JWT = JWT, S = Session> = Omit<AuthConfig<T, S>, "raw">

/** The session of a visitor, as the `session` callback made it, or `null` for an anonymous one. */
export type GetSessionResult<S = Session> = Promise<S | null>

/** A middleware of Express 4 and 5. */
export type ExpressAuthMiddleware = (
  req: ExpressRequest,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>

/**
 * Answers everything below the path it is mounted at: sign-in, callbacks, session, sign-out (spec/http.md §7).
 * Faults of the application (a database out of reach, say) that the engine cannot answer go to `next(error)`.
 *
 * @example
 * ```ts
 * import { ExpressAuth } from "@latchkey/express"
 * import credentials from "@latchkey/express/providers/credentials"
 * import express from "express"
 * const app = express()
 * app.set("trust proxy", "loopback") // behind a reverse proxy: whose word on host and scheme counts
 * app.use("/auth", ExpressAuth({ providers: [credentials({ authorize: () => null })] }))
 * ```
 */
export function ExpressAuth<T extends JWT = JWT, S = Session>(config: ExpressAuthConfig<T, S>): ExpressAuthMiddleware {
  return async (req, res, next) => {
    try {
      const mount = mountOf(req)
      if (mount === "" && !isOursAtRoot(config, pathOf(req.originalUrl))) return next()
      const request = requestOf(req)
      const server = serverFor(config, mount || (config.basePath ?? "/"))
      await respond(
        request === undefined ? badRequest() : await server.handle(request, { address: addressOf(req) }),
        res,
      )
    } catch (error) {
      next(error)
    }
  }
}

/**
 * The session of the visitor who sent `req`. With `res` a session that was renewed is also sent back, so that it
 * lives as long as it is used; call it before the response has begun.
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
 * @throws {AuthError} when the configuration is wrong; a store out of reach and a host that is not trusted mean `null`
 */
export async function getSession<T extends JWT = JWT, S = Session>(
  req: ExpressRequest,
  config: ExpressAuthConfig<T, S>,
  res?: ServerResponse,
): GetSessionResult<S> {
  const server = serverFor(config, config.basePath)
  const { session, cookies, error } = await server.session(visitorOf(req), { readOnly: res === undefined })
  if (error !== undefined && !passing.some((kind) => error instanceof kind)) throw error
  if (res !== undefined) addCookies(res, cookies)
  return session
}

/**
 * Faults of one visitor or one moment. Thrown, they would let anybody end a process of Express 4, where nobody
 * catches what an asynchronous middleware throws; every other fault concerns all visitors until it is corrected.
 */
const passing = [JWTSessionError, SessionTokenError, UntrustedHost]

const servers = new WeakMap<object, Map<string, Server<unknown>>>()

/** Mount paths may have parameters in them, which strangers choose. */
const mostMounts = 64

/** One engine for each mount of a configuration; the configuration itself is left as it is. */
function serverFor<T extends JWT, S>(config: ExpressAuthConfig<T, S>, basePath: string | undefined): Server<S> {
  const mounts = servers.get(config) ?? new Map<string, Server<unknown>>()
  servers.set(config, mounts)
  const key = basePath ?? ""
  if (mounts.size >= mostMounts && !mounts.has(key)) mounts.clear()
  // `T` and `S` are what callbacks return: opaque to the environment and to the engine.
  const server = mounts.get(key) ?? createServer(withEnv({ ...config, basePath } as AuthConfig, process.env))
  mounts.set(key, server)
  return server as Server<S>
}

/** Without a path of its own the middleware sees every page of the site: it takes only what it knows. */
function isOursAtRoot(config: Pick<AuthConfig, "basePath" | "modules">, path: string): boolean {
  const base = config.basePath?.replace(/\/+$/, "") ?? ""
  if (base !== "") return path === base || path.startsWith(`${base}/`)
  const [, name = ""] = path.split("/")
  return isAuthAction(name) || routesOf(config).has(name)
}

function routesOf(config: Pick<AuthConfig, "modules">): ReadonlySet<string> {
  const keys = config.modules?.flatMap((module) => Object.keys(module.routes ?? {})) ?? []
  return new Set(keys.map((key) => key.slice(key.indexOf(" ") + 1)))
}

/** spec/http.md §1.2 */
function badRequest(): Response {
  return Response.json("Bad request.", { status: 400 })
}
