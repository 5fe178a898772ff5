import { isAuthAction } from "./config/env/action-url.js"
import { securityMode } from "./config/defaults.js"
import { withEnv } from "./config/env/env.js"
import type { Env } from "./config/env/variables.js"
import { type AuthError, JWTSessionError, SessionTokenError, UntrustedHost } from "./errors.js"
import { serializeCookie } from "./http/cookie.js"
import { preventCaching } from "./http/prevent-caching.js"
import type { AuthConfig } from "./model/config.js"
import type { SetCookie } from "./model/cookie.js"
import type { Visitor } from "./model/http.js"
import type { JWT, Session, SessionUpdate } from "./model/session.js"
import { skipCSRFCheck } from "./model/symbols.js"
import { createServer, type Navigation, type Server, type SessionView, type SignInOptions } from "./server.js"

export type { Env, SetCookie, SignInOptions }

/** A request, as the framework describes it. */
export interface FrameworkRequest {
  readonly method: string
  /** The full URL, with the scheme and host that the framework sees. */
  readonly url: URL
  readonly headers: Headers
  /** The IP address of the connection, for rate limits. */
  readonly address?: string | undefined
  /** Path and query of the page that a form belongs to. @default the page in the `Referer` header */
  readonly page?: string | undefined
  /** Whether the browser shows a page next, so that it can go to the sign-in page. @default as its headers say, if it's a GET */
  readonly opensPage?: boolean | undefined
}

/** How a framework's requests are read, and how cookies are set. `E` is what the framework passes to its handlers. */
export interface Framework<E extends object> {
  /** Path of the auth routes, if neither the configuration nor `AUTH_URL` has one. */
  readonly basePath: string
  /** The environment variables of the application. */
  env(event: E): Env
  read(event: E): FrameworkRequest
  /** The request with its body, for the auth routes. `undefined` if it's malformed, which is answered with 400. */
  toRequest(event: E): Request | undefined
  /** The object that belongs to one request, if there can be several events for it. @default the event */
  requestOf?(event: E): object
  /** Sets cookies with the means of the framework. @default `finish` adds them to the response */
  setCookies?(event: E, cookies: readonly SetCookie[]): void
  /** Whether the headers can't change anymore. Then nothing is renewed, and sign-ins and updates throw. @default false */
  isSent?(event: E): boolean
  /**
   * `true`: the auth routes accept forms of the application without a CSRF token, as the Auth.js package for the framework
   * does. The sender is checked instead. Under strict, the routes still ask for a token. @default false
   */
  readonly acceptsForms?: boolean
}

/** Where to send the user after a sign-in or sign-out. */
export interface Destination {
  /** An absolute URL, or a path of this site. */
  readonly to: string
  /** Why the sign-in was refused or couldn't start. The log has it too. `to` is the page that explains it to the user. */
  readonly error?: AuthError
}

/** The session, or what to respond without one. */
export type Access<S> =
  | { readonly session: S }
  | {
      readonly session: null
      /** The sign-in page, for a browser that opens a page. A client of an API can't use it: `undefined`. */
      readonly to: string | undefined
      /** A redirect (303) to the sign-in page, or 401 with a JSON body. */
      readonly response: Response
    }

/** What every integration with a framework offers, in the framework's own terms. */
export interface Integration<E extends object, S> {
  /** Responds to a request for an auth route. `undefined`: the request is for another route. */
  handle(event: E): Promise<Response | undefined>
  /**
   * The current session. Several calls for one request read it once.
   *
   * @throws AuthError if the configuration is invalid. If the database fails or the host isn't trusted, it returns `null`
   */
  session(event: E, options?: { readonly readOnly?: boolean }): Promise<S | null>
  /** The current session, or a redirect to the sign-in page for pages and 401 for everything else. */
  requireSession(event: E): Promise<Access<S>>
  /** Starts a sign-in, or ends one for credentials. A form of another site is refused. */
  signIn(
    event: E,
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: Readonly<Record<string, string>>,
  ): Promise<Destination>
  signOut(event: E, options?: { readonly redirectTo?: string | undefined }): Promise<Destination>
  /** Passes `data` to the callbacks as an update, and returns the new session. */
  update(event: E, data: SessionUpdate): Promise<S | null>
  /** Adds the cookies of this request to its response, unless `setCookies` has set them. No shared cache may store it then. */
  finish(event: E, response: Response): Response
}

interface State {
  view?: { readonly isReadOnly: boolean; readonly result: Promise<SessionView<unknown>> }
  /** The cookies to set, by name. */
  readonly cookies: Map<string, SetCookie>
}

/**
 * Errors that a single request or a database failure can cause. The visitor isn't signed in then. Other errors affect every
 * request until you fix the configuration.
 */
const ignoredErrors = [JWTSessionError, SessionTokenError, UntrustedHost]

/**
 * Creates what a package for a framework needs: it reads requests and sets cookies through `framework`, and the package gives
 * the functions their idiomatic names.
 *
 * @example
 * ```ts
 * import { createIntegration } from "@latchkey/core/integration"
 *
 * const auth = createIntegration({ providers: [] }, {
 *   basePath: "/auth",
 *   env: () => process.env,
 *   read: (request: Request) => ({ method: request.method, url: new URL(request.url), headers: request.headers }),
 *   toRequest: (request) => request,
 * })
 * export async function respond(request: Request): Promise<Response> {
 *   const session = await auth.session(request)
 *   return auth.finish(request, (await auth.handle(request)) ?? Response.json(session))
 * }
 * ```
 * @param config the configuration, or a function that returns it for a request
 */
export function createIntegration<E extends object, T extends JWT = JWT, S = Session>(
  config: AuthConfig<T, S> | ((event: E) => AuthConfig<T, S> | PromiseLike<AuthConfig<T, S>>),
  framework: Framework<E>,
): Integration<E, Awaited<S>> {
  const states = new WeakMap<object, State>()
  const prepared = new WeakMap<AuthConfig, AuthConfig>()
  const servers = new WeakMap<AuthConfig, Server<unknown>>()

  async function authFor(event: E): Promise<{ readonly config: AuthConfig; readonly server: Server<unknown> }> {
    // The callbacks' types only matter to the caller.
    const own = (typeof config === "function" ? await config(event) : config) as AuthConfig
    const given = prepared.get(own) ?? (framework.acceptsForms === true ? acceptForms(own) : own)
    prepared.set(own, given)
    // The same configuration and environment give the same object.
    const full = withEnv(given, framework.env(event), { basePath: framework.basePath })
    const server = servers.get(full) ?? createServer(full, { forwardsForms: true, madeFrom: config })
    servers.set(full, server)
    return { config: full, server }
  }

  function stateOf(event: E): State {
    const key = framework.requestOf?.(event) ?? event
    const state = states.get(key) ?? { cookies: new Map() }
    states.set(key, state)
    return state
  }

  function visitorOf(event: E): Visitor {
    const { url, headers, address, page } = framework.read(event)
    const { cookies } = stateOf(event)
    const cookie = cookies.size === 0 ? {} : { cookie: mergeCookies(headers.get("cookie"), [...cookies.values()]) }
    return { headers, origin: url.origin, address, page, ...cookie }
  }

  function keep(event: E, cookies: readonly SetCookie[]): void {
    if (cookies.length === 0) return
    const state = stateOf(event)
    for (const cookie of cookies) state.cookies.set(cookie.name, cookie)
    framework.setCookies?.(event, cookies)
  }

  function forget(event: E): void {
    delete stateOf(event).view
  }

  /** Before anything changes: the browser wouldn't get the cookies. */
  function checkNotSent(event: E): void {
    if (framework.isSent?.(event) !== true) return
    throw new Error("The session can't change anymore, because the headers of the response have been sent.")
  }

  async function act(event: E, work: (server: Server<unknown>, visitor: Visitor) => Promise<Navigation>) {
    checkNotSent(event)
    const { server } = await authFor(event)
    const { to, cookies, error } = await work(server, visitorOf(event))
    keep(event, cookies)
    forget(event)
    return error === undefined ? { to } : { to, error }
  }

  async function read(event: E, isReadOnly: boolean): Promise<SessionView<unknown>> {
    const { server } = await authFor(event)
    const view = await server.session(visitorOf(event), { readOnly: isReadOnly })
    keep(event, view.cookies)
    return view
  }

  const integration: Integration<E, unknown> = {
    async handle(event) {
      const { config, server } = await authFor(event)
      const { url, address } = framework.read(event)
      if (!isAuthRoute(config, url.pathname)) return undefined
      const request = framework.toRequest(event)
      return request === undefined
        ? Response.json("Bad request.", { status: 400 })
        : server.handle(request, { address })
    },
    async session(event, { readOnly = false } = {}) {
      // Link scanners send HEAD, and must not extend a session.
      const isReadOnly = readOnly || framework.read(event).method === "HEAD" || framework.isSent?.(event) === true
      const state = stateOf(event)
      if (state.view === undefined || (state.view.isReadOnly && !isReadOnly))
        state.view = { isReadOnly, result: read(event, isReadOnly) }
      const { session, error } = await state.view.result
      if (error !== undefined && !ignoredErrors.some((kind) => error instanceof kind)) throw error
      return session
    },
    async requireSession(event) {
      const session = await integration.session(event)
      if (session !== null && session !== undefined) return { session }
      const { config } = await authFor(event)
      const to = signInPage(config, framework.read(event))
      return { session: null, to, response: rejection(to) }
    },
    signIn: (event, provider, options = {}, params = {}) =>
      act(event, (server, visitor) => server.signIn(visitor, provider, options, params)),
    signOut: (event, options = {}) => act(event, (server, visitor) => server.signOut(visitor, options)),
    async update(event, data) {
      checkNotSent(event)
      const { server } = await authFor(event)
      const view = await server.update(visitorOf(event), data)
      keep(event, view.cookies)
      stateOf(event).view = { isReadOnly: false, result: Promise.resolve(view) }
      return view.session
    },
    finish(event, response) {
      const { cookies } = stateOf(event)
      if (cookies.size === 0 || framework.setCookies !== undefined) return response
      return withCookies(response, [...cookies.values()])
    },
  }
  // The engine doesn't look into what callbacks return.
  return integration as Integration<E, Awaited<S>>
}

/** Core has this symbol too. Without it, production would log that the check is off. */
const checksSender = Symbol.for("@latchkey/core/checks-sender")

function acceptForms(config: AuthConfig): AuthConfig {
  if (securityMode(config) === "strict") return config
  return { ...config, skipCSRFCheck, [checksSender]: true } as AuthConfig
}

/** Whether a path is one of the auth routes, including those of modules. */
export function isAuthRoute({ basePath = "", modules = [] }: AuthConfig, pathname: string): boolean {
  const base = basePath.replace(/^\/*/, "/").replace(/\/*$/, "/")
  if (!pathname.startsWith(base)) return false
  const [action = ""] = pathname.slice(base.length).split("/")
  const own = modules.flatMap(({ routes = {} }) => Object.keys(routes).map((key) => key.split(" ")[1]))
  return isAuthAction(action) || own.includes(action)
}

/** The sign-in page, with the way back, if a browser opens a page. */
function signInPage(config: AuthConfig, request: FrameworkRequest): string | undefined {
  if (!(request.opensPage ?? isNavigation(request))) return undefined
  const { url } = request
  const page = config.pages?.signIn || `${(config.basePath ?? "").replace(/^\/*/, "/").replace(/\/*$/, "")}/signin`
  const separator = page.includes("?") ? "&" : "?"
  return `${page}${separator}${new URLSearchParams({ callbackUrl: url.pathname + url.search })}`
}

function isNavigation({ method, headers }: FrameworkRequest): boolean {
  if (method !== "GET" && method !== "HEAD") return false
  const mode = headers.get("sec-fetch-mode")
  return mode === null ? /\btext\/html\b/.test(headers.get("accept") ?? "") : mode === "navigate"
}

function rejection(to: string | undefined): Response {
  // The response depends on the cookies, so a cache must not serve it to others.
  const headers = { "cache-control": "private, no-store", vary: "Cookie" }
  if (to !== undefined) return new Response(null, { status: 303, headers: { ...headers, location: to } })
  return Response.json({ message: "You need to sign in." }, { status: 401, headers })
}

/** The `Cookie` header of a browser that has stored these cookies. */
function mergeCookies(header: string | null, set: readonly SetCookie[]): string {
  const names = new Set(set.map(({ name }) => name))
  const kept = (header ?? "").split(";").filter((pair) => pair.trim() !== "" && !names.has(nameIn(pair)))
  const added = set
    .filter(({ options }) => options.maxAge !== 0)
    .map((cookie) => serializeCookie(cookie).split(";", 1)[0])
  return [...kept.map((pair) => pair.trim()), ...added].join("; ")
}

function nameIn(pair: string): string {
  return pair.split("=", 1)[0]?.trim() ?? ""
}

/** A copy if the headers can't change, as those of a redirect or of `fetch`. A cookie of ours replaces an earlier one of its name. */
export function withCookies(response: Response, cookies: readonly SetCookie[]): Response {
  const result = isFixed(response.headers) ? new Response(response.body, response) : response
  const names = new Set(cookies.map(({ name }) => name))
  const earlier = result.headers.getSetCookie().filter((line) => !names.has(nameIn(line)))
  result.headers.delete("set-cookie")
  for (const line of [...earlier, ...cookies.map(serializeCookie)]) result.headers.append("set-cookie", line)
  preventCaching(result.headers)
  return result
}

function isFixed(headers: Headers): boolean {
  try {
    headers.delete("x-latchkey")
    return false
  } catch {
    return true
  }
}
