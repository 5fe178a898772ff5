import * as qwik from "@builder.io/qwik"
import { isAuthAction, skipCSRFCheck, withEnv } from "@latchkey/core"
import { JWTSessionError, SessionTokenError, UntrustedHost } from "@latchkey/core/errors"
import {
  createServer,
  type Navigation,
  preventCaching,
  type Server,
  type SetCookie,
  type Visitor,
} from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { recordFor } from "./env.js"
import type { ConfigQrl, QwikAuthConfig, RequestEventCommon, SignInInput, SignOutInput } from "./model.js"

/** Handles the auth routes. On every other path, it puts the session into `sharedMap`. */
export async function onRequest(configQrl: ConfigQrl, ev: RequestEventCommon): Promise<void> {
  // A page that is generated at build time has no visitor, and a build has no secret.
  const platform: { readonly static?: unknown } | undefined = ev.platform
  if (platform?.static === true) {
    ev.sharedMap.set("session", null)
    return
  }
  const { config, server } = await authFor(configQrl, ev)
  if (isAuthRoute(config, ev.url.pathname)) {
    const response = await server.handle(ev.request, { address: ev.clientConn.ip })
    // Qwik writes a value as it is, so the attributes stay as they are too.
    for (const line of response.headers.getSetCookie()) ev.cookie.set(...splitAt(line, line.indexOf("=")))
    response.headers.delete("set-cookie")
    throw ev.send(response)
  }
  // After `ev.rewrite()`, the handlers run again.
  if (handled.has(ev.request)) return
  handled.add(ev.request)
  ev.sharedMap.set("session", null)
  // Link scanners send HEAD, and must not extend a session.
  const { session, cookies, error } = await server.session(visitorOf(ev), { readOnly: ev.method === "HEAD" })
  if (error !== undefined && !ignoredErrors.some((kind) => error instanceof kind)) throw error
  ev.sharedMap.set("session", session)
  setCookies(ev, cookies)
}

const handled = new WeakSet<Request>()

/**
 * Errors that a single request or a database failure can cause. The visitor isn't signed in then. Other errors affect every
 * request until you fix the configuration.
 */
const ignoredErrors = [JWTSessionError, SessionTokenError, UntrustedHost]

export function signIn(configQrl: ConfigQrl, ev: RequestEventCommon, input: SignInInput): Promise<void> {
  const { providerId, redirectTo, options, authorizationParams } = input
  // A form with an empty field names no provider.
  const provider = providerId === "" ? undefined : providerId
  const fields = Object.entries({ redirectTo, ...options }).filter(([, value]) => value !== undefined)
  const texts = Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
  const params = Object.fromEntries(paramsOf(authorizationParams))
  return act(configQrl, ev, (server, visitor) => server.signIn(visitor, provider, texts, params))
}

/** The input isn't checked, because Zod has no type for it. */
function paramsOf(given: unknown): URLSearchParams {
  if (typeof given === "string" || given instanceof URLSearchParams) return new URLSearchParams(given)
  const entries = typeof given === "object" && given !== null ? Object.entries(given) : []
  return new URLSearchParams(entries.map(([name, value]: [string, unknown]) => [name, String(value)]))
}

export function signOut(configQrl: ConfigQrl, ev: RequestEventCommon, input: SignOutInput): Promise<void> {
  return act(configQrl, ev, (server, visitor) => server.signOut(visitor, input))
}

type Act = (server: Server<unknown>, visitor: Visitor) => Promise<Navigation>

async function act(configQrl: ConfigQrl, ev: RequestEventCommon, work: Act): Promise<void> {
  const { server } = await authFor(configQrl, ev)
  const { to, cookies } = await work(server, visitorOf(ev))
  setCookies(ev, cookies)
  await redirect(ev, to)
}

/** The browser loads the next page as a document, so that no part of it keeps the old session. */
async function redirect(ev: RequestEventCommon, to: string): Promise<void> {
  // Qwik 1 sends this header to its script, which can't follow a redirect to another site.
  if (new URL(ev.request.url).pathname.endsWith("/q-data.json")) return ev.headers.set("Location", to)
  // The script of Qwik 2 loads a document if it gets a `URL`, and changes only the components if it gets a string.
  if (ev.internalRequest === "action" && serialize !== undefined) {
    ev.headers.set("Content-Type", "application/json; charset=utf-8")
    throw ev.send(200, await serialize({ redirect: new URL(to, ev.url) }))
  }
  const message = ev.redirect(303, to)
  // `ev.redirect` shortens repeated slashes, also those in a query.
  ev.headers.set("Location", to)
  throw message
}

/** Only Qwik 2 has it. */
const { _serialize: serialize } = qwik as { readonly _serialize?: (data: unknown) => Promise<string> }

interface Auth {
  readonly config: AuthConfig
  readonly server: Server<unknown>
}

const servers = new WeakMap<AuthConfig, Server<unknown>>()

async function authFor(configQrl: ConfigQrl, ev: RequestEventCommon): Promise<Auth> {
  const own = await configQrl(ev)
  // As in Auth.js, forms of the application need no token: the sender is checked instead. And AUTH_URL doesn't move the routes.
  const forms = isStrict(own) ? {} : { skipCSRFCheck, [checksSender]: true }
  const given = { ...own, basePath: own.basePath ?? "/auth", ...forms }
  // The same configuration and environment give the same object.
  const config = withEnv(given as AuthConfig, recordFor(ev.env, ev.url))
  const server = servers.get(config) ?? createServer(config, { forwardsForms: true, madeFrom: configQrl })
  servers.set(config, server)
  return { config, server }
}

/** Core has this symbol too. Without it, production would log that the check is off. */
const checksSender = Symbol.for("@latchkey/core/checks-sender")

function isStrict({ security }: QwikAuthConfig): boolean {
  return security === "strict" || (typeof security === "object" && security.mode === "strict")
}

function isAuthRoute({ basePath = "", modules = [] }: AuthConfig, pathname: string): boolean {
  const base = basePath.replace(/^\/*/, "/").replace(/\/*$/, "/")
  if (!pathname.startsWith(base)) return false
  const [action = ""] = pathname.slice(base.length).split("/")
  const own = modules.flatMap(({ routes = {} }) => Object.keys(routes).map((key) => key.split(" ")[1]))
  return isAuthAction(action) || own.includes(action)
}

function visitorOf({ request, url, clientConn }: RequestEventCommon): Visitor {
  const page = new URL(url)
  page.searchParams.delete("qaction")
  return { headers: request.headers, origin: url.origin, address: clientConn.ip, page: page.pathname + page.search }
}

function setCookies(ev: RequestEventCommon, cookies: readonly SetCookie[]): void {
  if (cookies.length === 0) return
  for (const cookie of cookies) setCookie(ev, cookie)
  keepOutOfCaches(ev.headers)
}

const uncacheable = new WeakSet<Headers>()

/** Also if a route calls `ev.cacheControl()` or `ev.fail()` later, which change these headers. */
function keepOutOfCaches(headers: Headers): void {
  const own = {
    get: headers.get.bind(headers),
    set: headers.set.bind(headers),
    append: headers.append.bind(headers),
    delete: headers.delete.bind(headers),
    keys: headers.keys.bind(headers),
  }
  preventCaching(own)
  if (uncacheable.has(headers)) return
  uncacheable.add(headers)
  const keep = (name: string) => {
    if (/^(?:vary|expires|.*-control)$/i.test(name)) preventCaching(own)
  }
  headers.set = (name, value) => (own.set(name, value), keep(name))
  headers.append = (name, value) => (own.append(name, value), keep(name))
  headers.delete = (name) => (own.delete(name), keep(name))
}

function setCookie(ev: RequestEventCommon, { name, value, options }: SetCookie): void {
  const { encode = encodeURIComponent, sameSite, ...others } = options
  const known = Object.entries({ ...others, sameSite: sameSite || undefined }).filter(([, set]) => set !== undefined)
  ev.cookie.set(name, encode(value), Object.fromEntries(known))
}

function splitAt(text: string, index: number): [string, string] {
  return [text.slice(0, index), text.slice(index + 1)]
}
