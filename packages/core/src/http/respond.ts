import { AuthError, ErrorPageLoop, errorParams, RateLimited } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, AuthResult, Page, ResponseInternal, SafeUrl } from "../model/http.js"
import type { Awaitable } from "../model/user.js"
import { describeError } from "../observability/describe-error.js"
import { loggerOf } from "../observability/logger.js"
import type { Secretive } from "../observability/secrets.js"
import type { Refusal } from "../pages/refusal.js"
import type { RefusalSite } from "../pages/render.js"
import { systemRuntime } from "../primitives/runtime.js"
import type { WithStep } from "../pages/flow/step.js"
import { attemptIn } from "./attempt.js"
import { callbackUrlOf } from "./callback-url.js"
import { parseCookies, serializeCookie } from "./cookie.js"
import { resolveOrigin } from "./origin.js"
import { lastUsedMethod } from "./last-used.js"
import { toPage, toRoute } from "./redirect.js"

/**
 * For every response: it's about one user, so no cache may keep it; its URL may contain a token, so no referrer is sent; and
 * no frame or other site may load it.
 */
const common = {
  "cache-control": "private, no-cache, no-store",
  expires: "0",
  pragma: "no-cache",
  vary: "Cookie",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const

const json = { ...common, "content-type": "application/json" } as const

/** The only place that creates a `Response`. */
export async function respond(auth: AuthContext, request: AuthRequest, outcome: AuthResult): Promise<Response> {
  const isStep = request.wantsFlow === true && hasStep(request, outcome)
  const made = isStep ? stepResponse(auth, request, outcome) : render(auth, request, outcome)
  const response = made instanceof Response ? made : await made
  for (const cookie of outcome.cookies) response.headers.append("set-cookie", serializeCookie(cookie))
  return response
}

function render(auth: AuthContext, request: AuthRequest, outcome: AuthResult): Awaitable<Response> {
  switch (outcome.kind) {
    case "json":
      return jsonResponse(request, outcome.body, outcome.status ?? 200)
    case "redirect":
      return redirectResponse(request, outcome.to, isSignOut(request) ? leaving : {})
    case "failure":
      if (outcome.error instanceof RateLimited) return limitedResponse(auth, request, outcome.error)
      return isUpdate(request)
        ? jsonResponse(request, null, 400)
        : redirectResponse(request, errorUrl(auth, request, outcome.error))
    case "empty":
      return new Response(null, { status: outcome.status, headers: { ...common, ...outcome.headers } })
    case "page":
      return pageResponse(auth, request, outcome.page)
  }
}

/** Routes that respond with JSON anyway keep its shape, except for passkeys. */
function hasStep({ action }: AuthRequest, outcome: AuthResult): outcome is WithStep {
  if (action === "session" || outcome.kind === "empty") return false
  return outcome.kind !== "json" || action === "webauthn-options"
}

async function stepResponse(auth: AuthContext, request: AuthRequest, outcome: WithStep): Promise<Response> {
  const { stepOf } = await import("../pages/flow/step.js")
  const errorPage = outcome.kind === "failure" ? errorUrl(auth, request, outcome.error) : undefined
  const { result, status } = await stepOf(auth, request, outcome, errorPage)
  const retryAfter = result.status === "error" ? result.error.retryAfter : undefined
  return new Response(bodyFor(request, JSON.stringify(result)), {
    status,
    headers: {
      ...json,
      vary: "Cookie, Accept",
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
      ...(isSignOut(request) && leaving),
    },
  })
}

async function pageResponse(auth: AuthContext, request: AuthRequest, page: Page): Promise<Response> {
  if (isFramed(request)) return refusePage(auth, request, plainAnswer(403))
  const { languageOf, loadScript, renderPage } = await import("../pages/render.js")
  const { html, status, csp } = renderPage(auth, request, page, {
    script: await loadScript(auth, page),
    language: await languageOf(auth, request),
  })
  return new Response(bodyFor(request, html), {
    status,
    headers: { ...pageHeaders, "content-security-policy": csp },
  })
}

const pageHeaders = { ...common, "content-type": "text/html; charset=utf-8" } as const

const framed: ReadonlySet<string | null> = new Set(["iframe", "frame", "embed", "object", "fencedframe"])

/** Clickjacking (RFC 9700 §4.16): a page isn't sent to a browser that says it would show it in a frame. */
function isFramed({ headers }: AuthRequest): boolean {
  return framed.has(headers.get("sec-fetch-dest"))
}

function jsonResponse(request: Pick<AuthRequest, "method">, body: unknown, status: number): Response {
  return new Response(bodyFor(request, JSON.stringify(body ?? null)), { status, headers: json })
}

function bodyFor({ method }: Pick<AuthRequest, "method">, text: string): string | null {
  return method === "HEAD" ? null : text
}

/** Scripts can't read a redirect, so they request it as JSON with the `X-Auth-Return-Redirect` header. */
function redirectResponse(request: AuthRequest, to: SafeUrl, more: Readonly<Record<string, string>> = {}): Response {
  if (!request.headers.has("x-auth-return-redirect"))
    return new Response(null, { status: 302, headers: { ...common, ...more, location: to } })
  return new Response(bodyFor(request, JSON.stringify({ url: to })), {
    status: 200,
    headers: { ...json, ...more, location: to },
  })
}

/** After sign-out, the back button must not show the user's pages from the cache (OWASP ASVS 14.3.1). */
const leaving = { "clear-site-data": '"cache"' } as const

function isSignOut({ method, action }: AuthRequest): boolean {
  return method === "POST" && action === "signout"
}

/** Status 429 (RFC 6585 §4), except for a custom sign-in page, which needs a redirect. */
async function limitedResponse(auth: AuthContext, request: AuthRequest, error: RateLimited): Promise<Response> {
  const retry = { "retry-after": String(error.retryAfter) }
  const url = errorUrl(auth, request, error)
  if (wantsJson(request)) {
    return new Response(bodyFor(request, JSON.stringify({ url })), { status: 429, headers: { ...json, ...retry } })
  }
  if (auth.pages.signIn !== undefined)
    return new Response(null, { status: 302, headers: { ...common, ...retry, location: url } })
  const callbackUrl = await callbackUrlOf(auth, request)
  const { value: csrfToken, cookies } = await request.csrf.token()
  const known = { attempt: await attemptIn(auth, request), lastUsed: lastUsedMethod(auth, request) }
  const page = { name: "signin", error: error.type, email: undefined, callbackUrl, csrfToken, ...known } as const
  const shown = await render(auth, request, { kind: "page", page, cookies })
  const response = new Response(shown.body, { status: 429, headers: [...shown.headers, ...Object.entries(retry)] })
  for (const cookie of cookies) response.headers.append("set-cookie", serializeCookie(cookie))
  return response
}

function wantsJson({ headers, action }: AuthRequest): boolean {
  if (action === "webauthn-options") return true
  const accept = headers.get("accept") ?? ""
  if (headers.has("x-auth-return-redirect") || headers.get("content-type")?.includes("json")) return true
  return accept.includes("json") && !accept.includes("text/html")
}

function isUpdate({ method, action }: AuthRequest): boolean {
  return method === "POST" && action === "session"
}

/** The page for an error: the sign-in page if the user can try again there, otherwise the error page. */
export function errorUrl(auth: AuthContext, request: AuthRequest, error: AuthError): SafeUrl {
  const params = errorParams(error)
  const isSignIn = error.kind === "signIn"
  const own = isSignIn ? auth.pages.signIn : auth.pages.error
  if (own === undefined) return toRoute(request, isSignIn ? "signin" : "error", params)
  const page = toPage(request, own, params)
  return (page.startsWith("/") ? request.origin + page : page) as SafeUrl
}

const messages: Readonly<Record<number, string>> = {
  400: "Bad request.",
  403: "This page can't be shown in a frame.",
  404: "Not found.",
  405: "Method not allowed.",
  413: "The request is too large.",
  415: "The request is neither a form nor JSON.",
  431: "The browser sent too many cookies, or too long ones. Delete the cookies of this site and try again.",
  500: "There is a problem with the server configuration. Its log says what to do.",
}

/** A response that needs no configuration: a status with a message, or a redirect to a fixed page. */
export function plainAnswer(status: number, allowed: readonly string[] = [], to?: URL): Response {
  const allow = allowed.length === 0 ? {} : { allow: allowed.join(", ") }
  if (to !== undefined) return new Response(null, { status, headers: { ...common, location: to.href } })
  const message = messages[status]
  if (message === undefined) return new Response(null, { status, headers: { ...common, ...allow } })
  const body = status === 500 ? { message } : message
  return new Response(JSON.stringify(body), { status, headers: { ...json, ...allow } })
}

interface RefusedRequest {
  readonly method: string
  readonly headers: Headers
  /** The origin that the request itself names. */
  readonly origin: string
}

type Refuses = Pick<
  AuthContext,
  "basePath" | "isRaw" | "i18n" | "nonce" | "origin" | "runtime" | "security" | "theme" | "trustHost"
>

/** A browser gets a page instead of JSON, with the same status and headers. */
export async function refusePage(auth: Refuses, request: RefusedRequest, refusal: Response): Promise<Response> {
  if (refusal.status < 400 || refusal.headers.get("content-type") !== "application/json") return refusal
  if (auth.isRaw || !acceptsPage(request.headers)) return refusal
  const site = { ...auth, origin: originFor(auth, request) }
  return documentFor(site, request, refusal, { status: refusal.status })
}

/** A page that can't be rendered is no reason to fail. */
async function documentFor(
  site: RefusalSite,
  { method, headers }: Pick<RefusedRequest, "method" | "headers">,
  refusal: Response,
  about: Refusal,
): Promise<Response> {
  try {
    const { renderRefusal } = await import("../pages/render.js")
    const cookies = parseCookies(refusal.status === 431 ? null : headers.get("cookie"))
    const { html, csp } = await renderRefusal(site, { headers, cookies }, about)
    const shown = new Headers(refusal.headers)
    shown.set("content-type", pageHeaders["content-type"])
    shown.set("content-security-policy", csp)
    return new Response(method === "HEAD" ? null : html, { status: refusal.status, headers: shown })
  } catch {
    return refusal
  }
}

function acceptsPage(headers: Headers): boolean {
  const isScript = headers.has("x-auth-return-redirect") || headers.get("content-type")?.includes("json") === true
  return !isScript && headers.get("accept")?.includes("text/html") === true
}

function originFor(auth: Refuses, { origin, headers }: RefusedRequest): string | undefined {
  try {
    return resolveOrigin(auth, { own: origin, headers })
  } catch {
    return undefined
  }
}

/** A form POST becomes a GET at the target, so the body isn't resent. */
export function seeOther({ to }: { readonly to: string }): Response {
  return new Response(null, { status: 303, headers: { location: to } })
}

/** For a page or route of the application that needs a session. Without a sign-in page to go to, it answers a program. */
export function signInRequired(to?: SafeUrl): Response {
  // A 303 makes a form POST a GET at the sign-in page.
  if (to !== undefined) return new Response(null, { status: 303, headers: { ...ofOneUser, location: to } })
  return Response.json({ message: "You need to sign in." }, { status: 401, headers: ofOneUser })
}

/** It isn't known whether there is a session. */
export function unavailable(): Response {
  const message = "The session can't be checked now. Try again later."
  return Response.json({ message }, { status: 503, headers: ofOneUser })
}

/** A response of a route of the application depends on the cookies, so a cache must not serve it to others. */
const ofOneUser = { "cache-control": "private, no-store", vary: "Cookie" } as const

/** The result as data, for `raw`. */
export function toInternal(auth: AuthContext, request: AuthRequest, outcome: AuthResult): ResponseInternal {
  const cookies: readonly SetCookie[] = outcome.cookies
  switch (outcome.kind) {
    case "json":
      return { status: outcome.status ?? 200, headers: new Headers(json), body: outcome.body, cookies }
    case "redirect":
      return { redirect: outcome.to, headers: new Headers({ location: outcome.to }), cookies }
    case "failure":
      if (isUpdate(request)) return { status: 400, headers: new Headers(json), body: null, cookies }
      return { redirect: errorUrl(auth, request, outcome.error), cookies, ...statusOf(outcome.error) }
    default:
      return { status: outcome.status ?? 200, cookies }
  }
}

function statusOf(error: AuthError): Pick<ResponseInternal, "status" | "headers"> {
  if (!(error instanceof RateLimited)) return {}
  return { status: 429, headers: new Headers({ "retry-after": String(error.retryAfter) }) }
}

/** Actions that show a page. All others respond to programs. */
const pageActions: ReadonlySet<string> = new Set(["signin", "signout", "error", "verify-request"])

/** The response if the configuration can't be used. The log has the problem. */
export async function misconfigured(
  request: Request,
  config: Pick<AuthConfig, "pages" | "logger" | "debug" | "environment"> & Secretive,
  cause: unknown,
): Promise<Response> {
  const url = new URL(request.url)
  const action = url.pathname.split("/").findLast((segment) => segment !== "") ?? ""
  if (request.method !== "GET" || !pageActions.has(action))
    return acceptsPage(request.headers) ? errorDocument(request, config, cause) : plainAnswer(500)
  const own = config.pages?.error
  // The configured page may be the problem.
  if (own === undefined || !URL.canParse(own, url.origin)) return errorDocument(request, config, cause)
  const target = new URL(own, url.origin)
  if (comesFrom(target, url.searchParams.get("callbackUrl"))) {
    const loop = "The error page itself requires sign-in. Make it public"
    loggerOf(config)
      .forRequest(request)
      .error(new ErrorPageLoop(loop, { cause: cause instanceof Error ? cause : new AuthError(String(cause)) }))
    return errorDocument(request, config, cause)
  }
  target.searchParams.set("error", "Configuration")
  return plainAnswer(302, [], target)
}

function comesFrom(page: URL, callbackUrl: string | null): boolean {
  return callbackUrl !== null && (callbackUrl.startsWith(page.pathname) || callbackUrl.startsWith(page.href))
}

/** The configuration can't be used, so the page has no theme. It has the ID and, in development, the problems. */
async function errorDocument(
  request: Request,
  config: Pick<AuthConfig, "environment"> & Secretive,
  cause: unknown,
): Promise<Response> {
  const isDevelopment = config.environment === "development" && cause instanceof Error
  const detail = isDevelopment ? describeError(loggerOf(config).forRequest(request).redacted(cause)) : undefined
  const id = cause instanceof AuthError ? cause.id : undefined
  return documentFor(unconfigured, request, plainAnswer(500), { status: 500, id, detail })
}

const unconfigured: RefusalSite = {
  theme: {},
  i18n: {},
  nonce: undefined,
  runtime: systemRuntime,
  origin: undefined,
  basePath: "",
}
