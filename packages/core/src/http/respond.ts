import { isVersion4Client } from "../compat/version4-client.js"
import { type AuthError, RateLimited, UnknownAction, errorParams } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type {
  AuthRequest,
  AuthResult,
  Page,
  Params,
  PlainResponse,
  RedirectMeaning,
  ResponseInternal,
  SafeUrl,
} from "../model/http.js"
import type { Awaitable } from "../model/user.js"
import type { BuiltInPages, WithStep } from "../model/built-in-pages.js"
import { andThen } from "../primitives/awaitable.js"
import { attemptIn, lastUsedMethod } from "./attempt.js"
import { wantsJson } from "./auth-request.js"
import { serializeCookie } from "./cookie.js"
import { callbackUrlOf, toPage, toRoute } from "./redirect.js"
import { common, json as jsonHeaders, pageHeaders, plainAnswer, refusePage } from "./refusal.js"
import { ofOneUser } from "./unavailable.js"

/** @param meaning what a flow gets instead of the redirect */
export function redirect(to: SafeUrl, cookies: readonly SetCookie[] = [], meaning?: RedirectMeaning): AuthResult {
  return { kind: "redirect", to, cookies, ...(meaning && { meaning }) }
}

export function json(body: unknown, cookies: readonly SetCookie[] = [], status = 200): AuthResult {
  return { kind: "json", body, cookies, status }
}

export function page(page: Page, cookies: readonly SetCookie[] = [], status = 200): AuthResult {
  return { kind: "page", page, cookies, status }
}

export function failure(error: AuthError, cookies: readonly SetCookie[] = []): AuthResult {
  return { kind: "failure", error, cookies }
}

/** Turns the result of a route into a response. */
export function respond(auth: AuthContext, request: AuthRequest, outcome: AuthResult): Awaitable<PlainResponse> {
  const { pages } = auth.features
  const isStep = request.wantsFlow === true && hasStep(auth, request, outcome)
  const made = pages && isStep ? stepResponse(pages, auth, request, outcome) : render(auth, request, outcome)
  return andThen(made, (response) => withCookies(sendable(response), outcome.cookies))
}

function withCookies(response: PlainResponse, cookies: readonly SetCookie[]): PlainResponse {
  return cookies.length === 0
    ? response
    : { ...response, cookies: [...(response.cookies ?? []), ...cookies.map(serializeCookie)] }
}

/** As `Headers` checks it (RFC 9110 §5.5), so that what can't be sent fails here, and not in the code of a framework. */
const isFieldValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

function sendable(response: PlainResponse): PlainResponse {
  if (response.headers === jsonHeaders) return response
  for (const [name, value] of Object.entries(response.headers))
    if (!isFieldValue.test(value)) throw new TypeError(`The header ${name} has a character that can't be sent`)
  return response
}

/** For the frameworks that respond with one. */
export function toResponse({ status, headers, cookies = [], body }: PlainResponse): Response {
  const response = new Response(body, { status, headers })
  for (const cookie of cookies) response.headers.append("set-cookie", cookie)
  return response
}

function render(auth: AuthContext, request: AuthRequest, outcome: AuthResult): Awaitable<PlainResponse> {
  switch (outcome.kind) {
    case "json":
      return jsonResponse(request, outcome.body, outcome.status ?? 200, outcome.headers)
    case "redirect":
      return redirectResponse(auth, request, outcome.to, headersOf(request, outcome))
    case "failure":
      return failureResponse(auth, request, outcome.error)
    case "empty":
      return { status: outcome.status, headers: { ...common, ...outcome.headers }, body: null }
    case "page":
      return pageResponse(auth, request, outcome.page)
  }
}

function failureResponse(auth: AuthContext, request: AuthRequest, error: AuthError): Awaitable<PlainResponse> {
  if (error instanceof RateLimited) return limitedResponse(auth, request, error)
  if (isBadForm(request) && error instanceof UnknownAction) return refusePage(auth, request, plainAnswer(400))
  return isUpdate(request)
    ? jsonResponse(request, null, 400)
    : redirectResponse(auth, request, errorUrl(auth, request, error))
}

function isBadForm({ action }: AuthRequest): boolean {
  return action === "account" || action === "signin" || action === "signout"
}

/** Routes that respond with JSON anyway keep its shape, except for those of scripts. */
function hasStep(auth: AuthContext, request: AuthRequest, outcome: AuthResult): outcome is WithStep {
  if (request.action === "session" || outcome.kind === "empty") return false
  return outcome.kind !== "json" || isForScripts(auth, request)
}

function isForScripts({ features }: AuthContext, { action }: AuthRequest): boolean {
  return features.routes.get(`GET ${action}`)?.isForScripts === true
}

async function stepResponse(
  pages: BuiltInPages<AuthContext>,
  auth: AuthContext,
  request: AuthRequest,
  outcome: WithStep,
): Promise<PlainResponse> {
  const errorPage = outcome.kind === "failure" ? errorUrl(auth, request, outcome.error) : undefined
  const { result, status } = await pages.step(auth, request, outcome, errorPage)
  const location = outcome.kind === "redirect" ? outcome.to : errorPage
  const retryAfter = result.status === "error" ? result.error.retryAfter : undefined
  return {
    status,
    headers: {
      ...headersOf(request, outcome),
      ...jsonHeaders,
      vary: "Cookie, Accept",
      ...(location !== undefined && { location }),
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    },
    body: bodyFor(request, JSON.stringify(result)),
  }
}

async function pageResponse(auth: AuthContext, request: AuthRequest, page: Page): Promise<PlainResponse> {
  if (isFramed(request)) return refusePage(auth, request, plainAnswer(403))
  const { pages } = auth.features
  if (pages === undefined) return plainAnswer(404)
  const { html, status, csp } = await pages.render(auth, request, page)
  return {
    status,
    headers: {
      ...pageHeaders,
      "content-security-policy": csp,
      ...("shown" in page && page.shown.headers),
    },
    body: bodyFor(request, html),
  }
}

const framed: ReadonlySet<string | null> = new Set(["iframe", "frame", "embed", "object", "fencedframe"])

/** Clickjacking (RFC 9700 §4.16): a page isn't sent to a browser that says it would show it in a frame. */
function isFramed({ headers }: AuthRequest): boolean {
  return framed.has(headers.get("sec-fetch-dest"))
}

function jsonResponse(
  request: Pick<AuthRequest, "method">,
  body: unknown,
  status: number,
  own?: Params,
): PlainResponse {
  return { status, headers: jsonHeadersWith(own), body: bodyFor(request, JSON.stringify(body ?? null)) }
}

/** With a `cache-control` of its own, a response may be cached. */
function jsonHeadersWith(own: Params | undefined): Params {
  if (own === undefined) return jsonHeaders
  const { expires: _, pragma: __, ...others } = jsonHeaders
  return own["cache-control"] === undefined ? { ...jsonHeaders, ...own } : { ...others, ...own }
}

function bodyFor({ method }: Pick<AuthRequest, "method">, text: string): string | null {
  return method === "HEAD" ? null : text
}

/** Scripts can't read a redirect, so they request it as JSON with the `X-Auth-Return-Redirect` header. */
function redirectResponse(auth: AuthContext, request: AuthRequest, to: SafeUrl, more: Params = {}): PlainResponse {
  if (!request.headers.has("x-auth-return-redirect") && !isVersion4Client(auth, request))
    return { status: 302, headers: { ...more, ...common, location: to }, body: null }
  return jsonResponse(request, { url: to }, 200, { ...more, location: to })
}

/** After sign-out, the back button must not show the user's pages from the cache (OWASP ASVS 14.3.1). */
const leaving = { "clear-site-data": '"cache"' } as const

function headersOf(request: AuthRequest, outcome: AuthResult): Params {
  const own = outcome.kind === "redirect" ? outcome.headers : undefined
  return { ...(isSignOut(request) && leaving), ...own }
}

function isSignOut({ method, action }: AuthRequest): boolean {
  return method === "POST" && action === "signout"
}

/** Status 429 (RFC 6585 §4), except for a custom sign-in page, which needs a redirect. */
async function limitedResponse(auth: AuthContext, request: AuthRequest, error: RateLimited): Promise<PlainResponse> {
  const retry = { "retry-after": String(error.retryAfter) }
  const url = errorUrl(auth, request, error)
  if (isForScripts(auth, request) || wantsJson(request.headers) || isVersion4Client(auth, request)) {
    return jsonResponse(request, { url }, 429, retry)
  }
  if (auth.pages.signIn !== undefined) return redirectResponse(auth, request, url, retry)
  const callbackUrl = await callbackUrlOf(auth, request)
  const { value: csrfToken, cookies } = await request.csrf.token()
  const known = { attempt: await attemptIn(auth, request), lastUsed: lastUsedMethod(auth, request) }
  const page = { name: "signin", error: error.type, email: undefined, callbackUrl, csrfToken, ...known } as const
  const shown = await render(auth, request, { kind: "page", page, cookies })
  return withCookies({ ...shown, status: 429, headers: { ...shown.headers, ...retry } }, cookies)
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

/** A redirect to a page of the configuration, which needs no check. */
export function toConfiguredPage(page: URL): PlainResponse {
  return { status: 302, headers: { ...common, location: page.href }, body: null }
}

/** A form POST becomes a GET at the target, so the body isn't resent. */
export function seeOther({ to }: { readonly to: string }): Response {
  return new Response(null, { status: 303, headers: { location: to } })
}

/** The result as data, for `raw`. */
export function toInternal(auth: AuthContext, request: AuthRequest, outcome: AuthResult): ResponseInternal {
  const cookies: readonly SetCookie[] = outcome.cookies
  switch (outcome.kind) {
    case "json":
      return {
        status: outcome.status ?? 200,
        headers: new Headers(jsonHeadersWith(outcome.headers)),
        body: outcome.body,
        cookies,
      }
    case "redirect":
      return { redirect: outcome.to, headers: new Headers({ location: outcome.to }), cookies }
    case "failure":
      if (isUpdate(request)) return { status: 400, headers: new Headers(jsonHeaders), body: null, cookies }
      return { redirect: errorUrl(auth, request, outcome.error), cookies, ...statusOf(outcome.error) }
    default:
      return { status: outcome.status ?? 200, cookies }
  }
}

function statusOf(error: AuthError): Pick<ResponseInternal, "status" | "headers"> {
  if (!(error instanceof RateLimited)) return {}
  return { status: 429, headers: new Headers({ "retry-after": String(error.retryAfter) }) }
}

/** For a page or route of the application that needs a session. Without a sign-in page to go to, it answers a program. */
export function signInRequired(to?: SafeUrl): Response {
  // A 303 makes a form POST a GET at the sign-in page.
  if (to !== undefined) return new Response(null, { status: 303, headers: { ...ofOneUser, location: to } })
  return Response.json({ message: "You need to sign in." }, { status: 401, headers: ofOneUser })
}
