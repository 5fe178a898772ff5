import { isAuthRoute } from "../config/auth-routes.js"
import { normalPath } from "../config/defaults.js"
import { securityOf } from "../config/presets.js"
import type { AuthError } from "../errors.js"
import { isNavigation } from "../http/auth-request.js"
import { absoluteForm } from "../http/node-request.js"
import { resolveOrigin } from "../http/origin.js"
import { toPage } from "../http/redirect.js"
import { signInRequired } from "../http/respond.js"
import { askedLevel, insufficientAuthentication, stepUpParams } from "../http/step-up.js"
import { unavailable } from "../http/unavailable.js"
import type { AuthConfig } from "../model/config.js"
import type { PlainResponse, SafeUrl } from "../model/http.js"
import { type StepUp, stepUpRoute } from "../model/step-up.js"
import { isOutage } from "../observability/causes.js"
import { isSiteUrl } from "../primitives/web-url.js"
import type { FrameworkRequest, Refusal } from "./model.js"

/** What reading the session has shown, and what was asked of it. */
export interface Refused {
  readonly error: AuthError | undefined
  readonly isSignedIn: boolean
  readonly asked: StepUp | undefined
}

/** What to respond to a request without a session, or without one that is enough. */
export function refusal(config: AuthConfig, request: FrameworkRequest, { error, isSignedIn, asked }: Refused): Refusal {
  // The user may be signed in, and couldn't sign in anyway.
  if (isOutage(error)) return { session: null, to: undefined, url: undefined, response: unavailable() }
  const isNamed = namesUser(config, request)
  if (isNamed && !isSignedIn) return { session: null, to: undefined, url: undefined, response: invalidToken() }
  const isProgram = isNamed || !opensPage(request)
  if (isSignedIn && asked !== undefined && isProgram) return insufficient(config, request, asked)
  if (isProgram) return { session: null, to: undefined, url: undefined, response: signInRequired() }
  return pageRefusal(config, request, asked)
}

function pageRefusal(config: AuthConfig, request: FrameworkRequest, asked: StepUp | undefined): Refusal {
  if (isAt(config.pages?.signIn, request.url.pathname))
    return { session: null, to: undefined, url: undefined, response: signInRequired() }
  const origin = originOf(config, request)
  const to = asked === undefined ? signInPage(config, request, origin) : stepUpPage(config, request, origin, asked)
  return { session: null, to, url: new URL(to, origin).href, response: signInRequired(to) }
}

/** Whether a header names the user of the request, so that it isn't for a page. */
function namesUser({ modules = [] }: AuthConfig, { headers }: FrameworkRequest): boolean {
  return modules.some(({ authenticates }) => authenticates?.(headers) === true)
}

function insufficient(config: AuthConfig, request: FrameworkRequest, asked: StepUp): Refusal {
  const origin = originOf(config, request)
  const url = new URL(stepUpPage(config, request, origin, asked), origin).href
  return { session: null, to: undefined, url: undefined, response: insufficientAuthentication(askedLevel(asked), url) }
}

/** RFC 6750 §3.1. */
function invalidToken(): Response {
  const response = signInRequired()
  response.headers.set("www-authenticate", 'Bearer error="invalid_token"')
  return response
}

/** The response to a request that routers and the engine may read in different ways. */
export const malformed: PlainResponse = {
  status: 400,
  headers: { "content-type": "application/json" },
  body: JSON.stringify("Bad request."),
}

/** Where a redirect leads: `to`, or the full URL if the framework would change a path. */
export function redirectTarget(config: AuthConfig, request: FrameworkRequest, to: string): string {
  return request.needsFullUrl === true ? new URL(to, originOf(config, request)).href : to
}

/** The page that explains why a sign-in was refused, with the target of the form, so that the next attempt leads there. */
export function withTarget(page: string, { kind }: AuthError, target: string | undefined): string {
  if (kind !== "signIn" || target === undefined) return page
  const url = new URL(page, "http://localhost")
  url.searchParams.set("callbackUrl", target)
  return page.startsWith("/") ? url.pathname + url.search + url.hash : url.href
}

/** The URL standard resolves or drops these parts of a path, and routers for Node don't. No browser sends them. */
const ambiguous = /[\\#]|\/(?:\.|%2e){1,2}(?:\/|$)/i

/**
 * Whether everyone may open a path: it's an auth route, or one of the pages that a user without a session needs. The path is
 * the one that the router gets. `undefined`: the router may take it for another path than a `URL` does.
 */
export function isOpenToAll(config: AuthConfig, { target, url }: FrameworkRequest): boolean | undefined {
  const [path = ""] = (target?.replace(absoluteForm, "") ?? url.pathname).split("?", 1)
  if (!/^(?:\/|\*?$)/.test(path) || ambiguous.test(path)) return undefined
  const { signIn, signOut, error, verifyRequest } = config.pages ?? {}
  return isAuthRoute(config, path) || [signIn, signOut, error, verifyRequest].some((page) => isAt(page, path))
}

/** A path of several slashes is another route. Routers and proxies often ignore one at the end. */
function isAt(page: string | undefined, pathname: string): boolean {
  if (!page || !URL.canParse(page, "http://localhost")) return false
  return withoutSlash(new URL(page, "http://localhost").pathname) === withoutSlash(pathname)
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path
}

function opensPage({ method, headers, opensPage }: FrameworkRequest): boolean {
  if (opensPage !== undefined) return opensPage
  return (method === "GET" || method === "HEAD") && isNavigation(headers)
}

/** The route that asks the user again, with the way back. */
function stepUpPage(config: AuthConfig, request: FrameworkRequest, origin: string, asked: StepUp): SafeUrl {
  const route = `${normalPath(config.basePath ?? "")}/${stepUpRoute}`
  const given = request.needsFullUrl === true ? origin + route : route
  return toPage({ base: origin, origin }, given, stepUpParams(askedLevel(asked), shownPage(request)))
}

/** Several slashes at the start would name another host. */
function shownPage({ url, page }: FrameworkRequest): string {
  return (page ?? url.pathname + url.search).replace(/^[/\\]+/, "/")
}

/** The sign-in page, with the way back. A page on another site needs the full URL for that. */
function signInPage(config: AuthConfig, request: FrameworkRequest, origin: string): SafeUrl {
  const base = origin + normalPath(config.basePath ?? "")
  const given = config.pages?.signIn || `${normalPath(config.basePath ?? "")}/signin`
  const shown = shownPage(request)
  const callbackUrl = new URL(given, base).origin === origin ? shown : origin + shown
  return toPage({ base, origin }, request.needsFullUrl === true ? new URL(given, base).href : given, { callbackUrl })
}

/** The origin of this site, as users see it. */
function originOf(config: AuthConfig, { url, headers }: FrameworkRequest): string {
  if (isSiteUrl(config.url)) return new URL(config.url).origin
  const policy = { origin: undefined, trustHost: config.trustHost ?? false, security: securityOf(config) }
  try {
    return resolveOrigin(policy, { own: url.origin, headers })
  } catch {
    // The host isn't trusted, which the log says when the session is read.
    return url.origin
  }
}
