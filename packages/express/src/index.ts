import type { ServerResponse } from "node:http"
import { type AuthConfig, isAuthAction, type Session, withEnv } from "@latchkey/core"
import { createServer, serializeCookie } from "@latchkey/core/server"
import { mountOf, pathOf } from "./mount.js"
import { type ExpressRequest, requestOf, visitorOf } from "./request.js"
import { addCookies, respond } from "./respond.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type { Account, DefaultSession, Profile, Session, User } from "@latchkey/core/types"
export type { ExpressRequest } from "./request.js"

/** The configuration of the engine; what is missing is taken from the environment (spec/config.md §6). */
export type ExpressAuthConfig = Omit<AuthConfig, "raw">

/** The session of a visitor, or `null` for an anonymous one. */
export type GetSessionResult = Promise<Session | null>

/** A middleware of Express 4 and 5. */
export type ExpressAuthMiddleware = (
  req: ExpressRequest,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>

type Server = ReturnType<typeof createServer>

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
export function ExpressAuth(config: ExpressAuthConfig): ExpressAuthMiddleware {
  return async (req, res, next) => {
    try {
      const mount = mountOf(req)
      if (mount === "" && !isOursAtRoot(config, pathOf(req.originalUrl))) return next()
      const request = requestOf(req)
      const server = serverFor(config, mount || (config.basePath ?? "/"))
      await respond(request === undefined ? badRequest() : await server.handle(request), res)
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
 * @throws {AuthError} when the configuration is wrong; a store out of reach only reads as `null`
 */
export async function getSession(req: ExpressRequest, config: ExpressAuthConfig, res?: ServerResponse): GetSessionResult {
  const { session, cookies } = await serverFor(config).session(visitorOf(req))
  if (res !== undefined) addCookies(res, cookies.map(serializeCookie))
  return session
}

const servers = new WeakMap<ExpressAuthConfig, Map<string, Server>>()

/** Mount paths may have parameters in them, which strangers choose. */
const mostMounts = 64

/** One engine for each mount of a configuration; the configuration itself is left as it is. */
function serverFor(config: ExpressAuthConfig, basePath?: string): Server {
  const mounts = servers.get(config) ?? new Map<string, Server>()
  servers.set(config, mounts)
  const key = basePath ?? ""
  const known = mounts.get(key)
  if (known !== undefined) return known
  const server = createServer(withEnv(config, process.env, basePath === undefined ? {} : { basePath }))
  if (mounts.size >= mostMounts) mounts.clear()
  mounts.set(key, server)
  return server
}

/** Without a path of its own the middleware sees every page of the site: it takes only what it knows. */
function isOursAtRoot(config: ExpressAuthConfig, path: string): boolean {
  const base = config.basePath?.replace(/\/+$/, "") ?? ""
  if (base !== "") return path === base || path.startsWith(`${base}/`)
  const [, name = ""] = path.split("/")
  return isAuthAction(name) || routesOf(config).has(name)
}

function routesOf(config: ExpressAuthConfig): ReadonlySet<string> {
  const keys = config.modules?.flatMap((module) => Object.keys(module.routes ?? {})) ?? []
  return new Set(keys.map((key) => key.slice(key.indexOf(" ") + 1)))
}

/** spec/http.md §1.2 */
function badRequest(): Response {
  return Response.json("Bad request.", { status: 400 })
}
