import { type AuthError, errorParams } from "../errors.js"
import type { Auth } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { Incoming, Outcome, ResponseInternal, SafeUrl } from "../model/http.js"
import { serializeCookie } from "./cookie.js"
import { toPage, toRoute } from "./redirect.js"

/** On everything: it is about one person, and about nobody else. */
const common = {
  "cache-control": "private, no-cache, no-store",
  expires: "0",
  pragma: "no-cache",
  vary: "Cookie",
  "x-content-type-options": "nosniff",
} as const

const json = { ...common, "content-type": "application/json" } as const

/** On what a browser shows or follows: the address may carry a token. */
const shown = { ...common, "referrer-policy": "no-referrer" } as const

/** Outcome → Response; the only place where one is made. */
export async function respond(auth: Auth, incoming: Incoming, outcome: Outcome): Promise<Response> {
  const response = await render(auth, incoming, outcome)
  for (const cookie of outcome.cookies) response.headers.append("set-cookie", serializeCookie(cookie))
  return response
}

async function render(auth: Auth, incoming: Incoming, outcome: Outcome): Promise<Response> {
  switch (outcome.kind) {
    case "json":
      return jsonResponse(incoming, outcome.body, outcome.status ?? 200)
    case "redirect":
      return redirectResponse(incoming, outcome.to)
    case "denied":
      return isUpdate(incoming)
        ? jsonResponse(incoming, null, 400)
        : redirectResponse(incoming, errorUrl(auth, incoming, outcome.error))
    case "empty":
      return new Response(null, { status: outcome.status, headers: { ...common, ...outcome.headers } })
    case "page": {
      const { renderPage } = await import("../pages/render.js")
      const { html, status, csp } = renderPage(auth, incoming, outcome.page)
      return new Response(bodyFor(incoming, html), {
        status: status,
        headers: { ...pageHeaders, "content-security-policy": csp },
      })
    }
  }
}

const pageHeaders = {
  ...shown,
  "content-type": "text/html; charset=utf-8",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const

function jsonResponse(incoming: Pick<Incoming, "method">, body: unknown, status: number): Response {
  return new Response(bodyFor(incoming, JSON.stringify(body ?? null)), { status, headers: json })
}

function bodyFor({ method }: Pick<Incoming, "method">, text: string): string | null {
  return method === "HEAD" ? null : text
}

/** Scripts cannot read a redirect: they ask for it as JSON (spec/http.md §8). */
function redirectResponse(incoming: Incoming, to: SafeUrl): Response {
  if (!incoming.headers.has("x-auth-return-redirect"))
    return new Response(null, { status: 302, headers: { ...shown, location: to } })
  return new Response(bodyFor(incoming, JSON.stringify({ url: to })), {
    status: 200,
    headers: { ...json, location: to },
  })
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
  404: "Not found.",
  405: "Method not allowed.",
  413: "The request is too large.",
  415: "The request is neither a form nor JSON.",
  500: "There is a problem with the server configuration. Its log says what to do.",
}

/** An answer that needs no configuration: a status with a sentence, a document, or a redirect to a fixed page. */
export function plainAnswer(status: number, allowed: readonly string[] = [], content?: string | URL): Response {
  const allow = allowed.length === 0 ? {} : { allow: allowed.join(", ") }
  if (content instanceof URL) return new Response(null, { status, headers: { ...shown, location: content.href } })
  if (content !== undefined) {
    return new Response(content, {
      status,
      headers: { ...pageHeaders, "content-security-policy": "default-src 'none'; frame-ancestors 'none'" },
    })
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
      return { redirect: errorUrl(auth, incoming, outcome.error), cookies }
    default:
      return { status: "status" in outcome && outcome.status !== undefined ? outcome.status : 200, cookies }
  }
}
