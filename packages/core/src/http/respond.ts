import { AuthError, ErrorPageLoop, errorParams, RateLimited } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, AuthResult, Page, ResponseInternal, SafeUrl } from "../model/http.js"
import type { Awaitable } from "../model/user.js"
import { loggerOf } from "../observability/logger.js"
import { requestedCallbackUrl } from "./auth-request.js"
import { serializeCookie } from "./cookie.js"
import { resolveCallbackUrl, toPage, toRoute } from "./redirect.js"

/**
 * On everything: it is about one person and nobody else, its address may carry a token, and it belongs into no frame and
 * no other site's page, whatever a browser takes it for.
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

/** Outcome → Response; the only place where one is made. */
export async function respond(auth: AuthContext, request: AuthRequest, outcome: AuthResult): Promise<Response> {
  const made = render(auth, request, outcome)
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

async function pageResponse(auth: AuthContext, request: AuthRequest, page: Page): Promise<Response> {
  if (isFramed(request)) return plainAnswer(403)
  const { renderPage } = await import("../pages/render.js")
  const { html, status, csp } = renderPage(auth, request, page)
  return new Response(bodyFor(request, html), {
    status,
    headers: { ...pageHeaders, "content-security-policy": csp },
  })
}

const pageHeaders = { ...common, "content-type": "text/html; charset=utf-8" } as const

const framed: ReadonlySet<string | null> = new Set(["iframe", "frame", "embed", "object", "fencedframe"])

/** A click into a frame need not be meant: a browser that says where the page goes gets none (RFC 9700 §4.16). */
function isFramed({ headers }: AuthRequest): boolean {
  return framed.has(headers.get("sec-fetch-dest"))
}

function jsonResponse(request: Pick<AuthRequest, "method">, body: unknown, status: number): Response {
  return new Response(bodyFor(request, JSON.stringify(body ?? null)), { status, headers: json })
}

function bodyFor({ method }: Pick<AuthRequest, "method">, text: string): string | null {
  return method === "HEAD" ? null : text
}

/** Scripts cannot read a redirect: they ask for it as JSON (spec/http.md §8). */
function redirectResponse(request: AuthRequest, to: SafeUrl, more: Readonly<Record<string, string>> = {}): Response {
  if (!request.headers.has("x-auth-return-redirect"))
    return new Response(null, { status: 302, headers: { ...common, ...more, location: to } })
  return new Response(bodyFor(request, JSON.stringify({ url: to })), {
    status: 200,
    headers: { ...json, ...more, location: to },
  })
}

/** Pages that were shown to the signed-in person must not come back with the back button (ASVS 14.3.1). */
const leaving = { "clear-site-data": '"cache"' } as const

function isSignOut({ method, action }: AuthRequest): boolean {
  return method === "POST" && action === "signout"
}

/** RFC 6585 §4: the status where it can be told; a page of the developer's can only be gone to. */
async function limitedResponse(auth: AuthContext, request: AuthRequest, error: RateLimited): Promise<Response> {
  const retry = { "retry-after": String(error.retryAfter) }
  const url = errorUrl(auth, request, error)
  if (wantsJson(request)) {
    return new Response(bodyFor(request, JSON.stringify({ url })), { status: 429, headers: { ...json, ...retry } })
  }
  if (auth.pages.signIn !== undefined)
    return new Response(null, { status: 302, headers: { ...common, ...retry, location: url } })
  const asked = requestedCallbackUrl(request) ?? request.cookies.get(request.scheme.cookies.callbackUrl.name)
  const callbackUrl = await resolveCallbackUrl(auth, request, asked)
  const { value: csrfToken, cookies } = await request.csrf.token()
  const page = { name: "signin", error: error.type, email: undefined, callbackUrl, csrfToken } as const
  const shown = await render(auth, request, { kind: "page", page, cookies })
  const response = new Response(shown.body, { status: 429, headers: [...shown.headers, ...Object.entries(retry)] })
  for (const cookie of cookies) response.headers.append("set-cookie", serializeCookie(cookie))
  return response
}

function wantsJson({ headers }: AuthRequest): boolean {
  const accept = headers.get("accept") ?? ""
  if (headers.has("x-auth-return-redirect") || headers.get("content-type")?.includes("json")) return true
  return accept.includes("json") && !accept.includes("text/html")
}

function isUpdate({ method, action }: AuthRequest): boolean {
  return method === "POST" && action === "session"
}

/** The page that tells the person about an error: sign-in for what they can repair, else the error page. */
export function errorUrl(auth: AuthContext, request: AuthRequest, error: AuthError): SafeUrl {
  const params = errorParams(error)
  const isSignIn = error.kind === "signIn"
  const own = isSignIn ? auth.pages.signIn : auth.pages.error
  if (own === undefined) return toRoute(request, isSignIn ? "signin" : "error", params)
  const page = toPage(request, own, params)
  return (page.startsWith("/") ? request.origin + page : page) as SafeUrl
}

const sentences: Readonly<Record<number, string>> = {
  400: "Bad request.",
  403: "This page is not shown in a frame.",
  404: "Not found.",
  405: "Method not allowed.",
  413: "The request is too large.",
  415: "The request is neither a form nor JSON.",
  500: "There is a problem with the server configuration. Its log says what to do.",
}

/** An answer that needs no configuration: a status with a sentence, a document, or a redirect to a fixed page. */
export function plainAnswer(status: number, allowed: readonly string[] = [], content?: string | URL): Response {
  const allow = allowed.length === 0 ? {} : { allow: allowed.join(", ") }
  if (content instanceof URL) return new Response(null, { status, headers: { ...common, location: content.href } })
  if (content !== undefined) {
    return new Response(content, { status, headers: pageHeaders })
  }
  const sentence = sentences[status]
  if (sentence === undefined) return new Response(null, { status, headers: { ...common, ...allow } })
  const body = status === 500 ? { message: sentence } : sentence
  return new Response(JSON.stringify(body), { status, headers: { ...json, ...allow } })
}

/** For `raw` callers: the outcome as data. */
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

/** Actions that a person looks at; everything else is answered for programs (spec/http.md §4). */
const pageActions: ReadonlySet<string> = new Set(["signin", "signout", "error", "verify-request"])

/** What can be answered although the configuration cannot be used. The problem itself stands in the log. */
export function misconfigured(
  request: Request,
  config: Pick<AuthConfig, "pages" | "logger" | "debug">,
  cause: unknown,
): Response {
  const url = new URL(request.url)
  const action = url.pathname.split("/").findLast((segment) => segment !== "") ?? ""
  if (request.method !== "GET" || !pageActions.has(action)) return plainAnswer(500)
  const own = config.pages?.error
  // The page itself may be what is wrong with the configuration.
  if (own === undefined || !URL.canParse(own, url.origin)) return plainAnswer(500, [], errorDocument)
  const target = new URL(own, url.origin)
  if (comesFrom(target, url.searchParams.get("callbackUrl"))) {
    const loop = "The error page itself asks for sign-in: leave it open to everybody"
    loggerOf(config).error(
      new ErrorPageLoop(loop, { cause: cause instanceof Error ? cause : new AuthError(String(cause)) }),
    )
    return plainAnswer(500, [], errorDocument)
  }
  target.searchParams.set("error", "Configuration")
  return plainAnswer(302, [], target)
}

function comesFrom(page: URL, callbackUrl: string | null): boolean {
  return callbackUrl !== null && (callbackUrl.startsWith(page.pathname) || callbackUrl.startsWith(page.href))
}

/** Complete in itself: pages proper need a working configuration. */
const errorDocument = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Error</title></head>
<body><main class="error"><h1>Server error</h1>
<p>There is a problem with the server configuration. Its log says what to do.</p></main></body></html>`
