// The names of @hono/auth-js.
import { setEnvDefaults as setDefaults, withEnv } from "@latchkey/core"
import { createIntegration, type Env } from "@latchkey/core/integration"
import type { AdapterUser } from "@latchkey/core/adapters"
import type { JWT, Session, SessionCallbackParams } from "@latchkey/core/types"
import type { Context, Handler, MiddlewareHandler } from "hono"
import { env } from "hono/adapter"
import { HTTPException } from "hono/http-exception"
import { routePath } from "hono/route"
import type { AuthConfig } from "./create-auth.js"
import { hono, replace } from "./request.js"

declare module "hono" {
  interface ContextVariableMap {
    authUser: AuthUser
    authConfig: AuthConfig
  }
}

/** Environment variables or bindings. */
export interface AuthEnv extends Env {
  readonly AUTH_URL?: string
  readonly AUTH_SECRET: string
  readonly AUTH_REDIRECT_PROXY_URL?: string
}

/** The user of a request. `token`: the claims of a session that is a JWT. `user`: the stored user otherwise. */
export interface AuthUser {
  session: Session
  token?: JWT
  user?: AdapterUser
}

/** Returns the configuration for a request. */
export type ConfigHandler = (c: Context) => AuthConfig | Promise<AuthConfig>

/** Middleware that keeps the configuration for {@link authHandler}, {@link verifyAuth} and {@link getAuthUser}. */
export function initAuthConfig(handler: ConfigHandler): MiddlewareHandler {
  return async (c, next) => {
    c.set("authConfig", await handler(c))
    await next()
  }
}

/** Handles the auth routes below the path where it's mounted, such as `/api/auth/*`. */
export function authHandler(): Handler {
  return async (c) => {
    mounts.set(c, routePath(c).replace(/\/\*[^/]*$/, ""))
    return (await auth.handle(c)) ?? c.notFound()
  }
}

/** Middleware that answers 401 without a session, and sets `c.var.authUser`. It renews the session if that is due. */
export function verifyAuth(): MiddlewareHandler {
  return async (c, next) => {
    const user = userOf(await auth.session(c))
    if (user === null) throw new HTTPException(401, { res: new Response("Unauthorized", { status: 401 }) })
    c.set("authUser", user)
    await next()
    replace(c, auth.finish(c, c.res))
  }
}

/** The user who sent the request, or `null`. */
export async function getAuthUser(c: Context): Promise<AuthUser | null> {
  return userOf(await auth.session(c, { readOnly: true }))
}

/** Writes values from environment variables into `config`. {@link authHandler} needs no call of it. */
export function setEnvDefaults(env: AuthEnv, config: AuthConfig): void {
  setDefaults(env, config, true)
}

/**
 * The request with the origin of `authUrl`, or of the forwarded headers. They're used whatever `trustHost` says, so call it
 * only behind a proxy that sets them. {@link authHandler} needs no call of it.
 */
export function reqWithEnvUrl(req: Request, authUrl?: string): Request {
  const url = new URL(req.url)
  if (authUrl !== undefined && authUrl !== "") {
    return new Request(new URL(authUrl).origin + url.pathname + url.search, req)
  }
  const headers = new Headers(req.headers)
  const host = headers.get("x-forwarded-host") ?? headers.get("host") ?? url.host
  const scheme = headers.get("x-forwarded-proto")?.replace(/:$/, "") ?? url.protocol.slice(0, -1)
  headers.delete("x-forwarded-host")
  headers.set("host", host)
  return new Request(`${scheme}://${host}${url.pathname}${url.search}`, new Request(req, { headers }))
}

const mounts = new WeakMap<Context, string>()

const auth = createIntegration<Context>(configOf, { ...hono, basePath: "/api/auth", isMounted: (c) => mounts.has(c) })

const prepared = new WeakMap<AuthConfig, AuthConfig>()

/** The configuration of {@link initAuthConfig}, with the path of the handler unless `basePath` or `AUTH_URL` has one. */
function configOf(c: Context): AuthConfig {
  const config: AuthConfig | undefined = c.get("authConfig")
  if (config === undefined) throw new Error("There is no configuration. Add `app.use(initAuthConfig(…))` before this")
  const known = prepared.get(config)
  if (known !== undefined) return known
  const basePath = withEnv(config, env(c)).basePath ?? mounts.get(c)
  const callbacks = { ...config.callbacks, session: recorded(config.callbacks?.session ?? plainSession) }
  const made = { ...config, ...(basePath === undefined ? {} : { basePath }), callbacks }
  prepared.set(config, made)
  return made
}

type SessionCallback = NonNullable<NonNullable<AuthConfig["callbacks"]>["session"]>

const recorders = new WeakMap<SessionCallback, SessionCallback>()
const recordOf = new WeakMap<object, Pick<SessionCallbackParams, "token" | "user">>()

/** Remembers what a session was made from. The same callback gives the same function, so that the configuration stays equal. */
function recorded(callback: SessionCallback): SessionCallback {
  const known = recorders.get(callback)
  if (known !== undefined) return known
  const recorder: SessionCallback = async (params) => {
    const session = withText(await callback(params))
    if (typeof session === "object" && session !== null) recordOf.set(session, params)
    return session
  }
  recorders.set(callback, recorder)
  return recorder
}

/** The time in a row is a `Date`. The engine would replace the session by a copy with a text. */
function withText(session: Session): Session {
  const expires: unknown = session?.expires
  return expires instanceof Date ? { ...session, expires: expires.toISOString() } : session
}

/** The default. A stored user has more fields, which aren't for every browser. */
const plainSession: SessionCallback = ({ session, user }) => {
  const { name = null, email = null, image = null } = session.user
  return user === undefined ? session : { user: { name, email, image }, expires: session.expires }
}

function userOf(session: Session | null): AuthUser | null {
  if (session === null) return null
  const { token, user } = recordOf.get(session) ?? {}
  return { session, ...(token === undefined ? {} : { token }), ...(user === undefined ? {} : { user }) }
}
