import { type AuthError, errorParams, RateLimited } from "../errors.js"
import type { Auth } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { Incoming, Outcome, Page, ResponseInternal, SafeUrl } from "../model/http.js"
import type { Awaitable } from "../model/user.js"
import { serializeCookie } from "./cookie.js"
import { askedUrl } from "./incoming.js"
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
export async function respond(auth: Auth, incoming: Incoming, outcome: Outcome): Promise<Response> {
  const made = render(auth, incoming, outcome)
  const response = made instanceof Response ? made : await made
  for (const cookie of outcome.cookies) response.headers.append("set-cookie", serializeCookie(cookie))
  return response
}

function render(auth: Auth, incoming: Incoming, outcome: Outcome): Awaitable<Response> {
  switch (outcome.kind) {
    case "json":
      return jsonResponse(incoming, outcome.body, outcome.status ?? 200)
    case "redirect":
      return redirectResponse(incoming, outcome.to, isSignOut(incoming) ? leaving : {})
    case "denied":
      if (outcome.error instanceof RateLimited) return limitedResponse(auth, incoming, outcome.error)
      return isUpdate(incoming)
        ? jsonResponse(incoming, null, 400)
        : redirectResponse(incoming, errorUrl(auth, incoming, outcome.error))
    case "empty":
      return new Response(null, { status: outcome.status, headers: { ...common, ...outcome.headers } })
    case "page":
      return pageResponse(auth, incoming, outcome.page)
  }
}

async function pageResponse(auth: Auth, incoming: Incoming, page: Page): Promise<Response> {
  if (isFramed(incoming)) return plainAnswer(403)
  const { renderPage } = await import("../pages/render.js")
  const { html, status, csp } = renderPage(auth, incoming, page)
  return new Response(bodyFor(incoming, html), {
    status,
    headers: { ...pageHeaders, "content-security-policy": csp },
  })
}

const pageHeaders = { ...common, "content-type": "text/html; charset=utf-8" } as const

const framed: ReadonlySet<string | null> = new Set(["iframe", "frame", "embed", "object", "fencedframe"])

/** A click into a frame need not be meant: a browser that says where the page goes gets none (RFC 9700 §4.16). */
function isFramed({ headers }: Incoming): boolean {
  return framed.has(headers.get("sec-fetch-dest"))
}

function jsonResponse(incoming: Pick<Incoming, "method">, body: unknown, status: number): Response {
  return new Response(bodyFor(incoming, JSON.stringify(body ?? null)), { status, headers: json })
}

function bodyFor({ method }: Pick<Incoming, "method">, text: string): string | null {
  return method === "HEAD" ? null : text
}

/** Scripts cannot read a redirect: they ask for it as JSON (spec/http.md §8). */
function redirectResponse(incoming: Incoming, to: SafeUrl, more: Readonly<Record<string, string>> = {}): Response {
  if (!incoming.headers.has("x-auth-return-redirect"))
    return new Response(null, { status: 302, headers: { ...common, ...more, location: to } })
  return new Response(bodyFor(incoming, JSON.stringify({ url: to })), {
    status: 200,
    headers: { ...json, ...more, location: to },
  })
}

/** Pages that were shown to the signed-in person must not come back with the back button (ASVS 14.3.1). */
const leaving = { "clear-site-data": '"cache"' } as const

function isSignOut({ method, action }: Incoming): boolean {
  return method === "POST" && action === "signout"
}

/** RFC 6585 §4: the status where it can be told; a page of the developer's can only be gone to. */
async function limitedResponse(auth: Auth, incoming: Incoming, error: RateLimited): Promise<Response> {
  const retry = { "retry-after": String(error.retryAfter) }
  const url = errorUrl(auth, incoming, error)
  if (wantsJson(incoming)) {
    return new Response(bodyFor(incoming, JSON.stringify({ url })), { status: 429, headers: { ...json, ...retry } })
  }
  if (auth.pages.signIn !== undefined)
    return new Response(null, { status: 302, headers: { ...common, ...retry, location: url } })
  const asked = askedUrl(incoming) ?? incoming.cookies.get(incoming.realm.cookies.callbackUrl.name)
  const callbackUrl = await resolveCallbackUrl(auth, incoming, asked)
  const { value: csrfToken, cookies } = await incoming.csrf.token()
  const page = { name: "signin", error: error.type, email: undefined, callbackUrl, csrfToken } as const
  const shown = await render(auth, incoming, { kind: "page", page, cookies })
  const response = new Response(shown.body, { status: 429, headers: [...shown.headers, ...Object.entries(retry)] })
  for (const cookie of cookies) response.headers.append("set-cookie", serializeCookie(cookie))
  return response
}

function wantsJson({ headers }: Incoming): boolean {
  const accept = headers.get("accept") ?? ""
  if (headers.has("x-auth-return-redirect") || headers.get("content-type")?.includes("json")) return true
  return accept.includes("json") && !accept.includes("text/html")
}

function isUpdate({ method, action }: Incoming): boolean {
  return method === "POST" && action === "session"
}

/** The page that tells the person about an error: sign-in for what they can repair, else the error page. */
export function errorUrl(auth: Auth, incoming: Incoming, error: AuthError): SafeUrl {
  const params = errorParams(error)
  const isSignIn = error.kind === "signIn"
  const own = isSignIn ? auth.pages.signIn : auth.pages.error
  if (own === undefined) return toRoute(incoming, isSignIn ? "signin" : "error", params)
  const page = toPage(incoming, own, params)
  return (page.startsWith("/") ? incoming.origin + page : page) as SafeUrl
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
export function toInternal(auth: Auth, incoming: Incoming, outcome: Outcome): ResponseInternal {
  const cookies: readonly SetCookie[] = outcome.cookies
  switch (outcome.kind) {
    case "json":
      return { status: outcome.status ?? 200, headers: new Headers(json), body: outcome.body, cookies }
    case "redirect":
      return { redirect: outcome.to, headers: new Headers({ location: outcome.to }), cookies }
    case "denied":
      if (isUpdate(incoming)) return { status: 400, headers: new Headers(json), body: null, cookies }
      return { redirect: errorUrl(auth, incoming, outcome.error), cookies, ...statusOf(outcome.error) }
    default:
      return { status: outcome.status ?? 200, cookies }
  }
}

function statusOf(error: AuthError): Pick<ResponseInternal, "status" | "headers"> {
  if (!(error instanceof RateLimited)) return {}
  return { status: 429, headers: new Headers({ "retry-after": String(error.retryAfter) }) }
}
