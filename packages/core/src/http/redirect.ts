import { AuthError } from "../errors.js"
import { maxCallbackUrl, maxReferer, maxUrlPart } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, Params, SafeUrl } from "../model/http.js"
import { requestedCallbackUrl, textOf } from "./auth-request.js"
import { clearCookie, setCookie } from "./cookie.js"

/** Schemes that run or display their content. Other schemes open an app, or the browser refuses them. */
const activeSchemes: ReadonlySet<string> = new Set([
  "javascript:",
  "data:",
  "vbscript:",
  "blob:",
  "file:",
  "about:",
  "view-source:",
])

/**
 * The URL to go to next: the candidate, if the `redirect` callback allows it, otherwise the origin of this site.
 *
 * @throws what the `redirect` callback throws
 */
export async function resolveCallbackUrl(
  auth: AuthContext,
  request: AuthRequest,
  candidate: string | undefined,
): Promise<SafeUrl> {
  const { origin } = request
  const url = candidate !== undefined && isShort(candidate) ? candidate : origin
  return checked(auth, origin, await auth.callbacks.redirect({ url, baseUrl: origin }))
}

/** Any part of the path may be the host, depending on what follows and on what the URL is resolved against. */
function isShort(url: string): boolean {
  if (url.length > maxCallbackUrl) return false
  const [beforeQuery = ""] = url.split(/[?#]/, 1)
  return beforeQuery.split(/[/\\]/).every((part) => part.length <= maxUrlPart || /^\p{ASCII}*$/u.test(part))
}

/**
 * A URL that the application chose, such as the result of the `signIn` callback. It may be on another site, unless the
 * `redirect` callback forbids that. Under `"strict"` the default `redirect` callback counts too.
 *
 * @throws what the `redirect` callback throws
 */
export async function resolveChosenUrl(auth: AuthContext, request: AuthRequest, chosen: string): Promise<SafeUrl> {
  const { origin } = request
  const { redirect } = auth.callbacks
  // `//host` is left to the callback: an application that puts a slash in front of a value means a path.
  const isFinal =
    !auth.rules.checkedRedirects && redirect === defaultRedirect && namesHost(chosen) && URL.canParse(chosen)
  return checked(auth, origin, isFinal ? chosen : await redirect({ url: chosen, baseUrl: origin }))
}

function checked(auth: AuthContext, origin: string, allowed: unknown): SafeUrl {
  const safe = safeUrl(allowed, origin)
  if (safe === undefined) {
    auth.logger.warn(
      "redirect-refused",
      "The redirect callback returned no http(s) URL, so the user goes to the home page",
    )
  }
  return safe ?? (origin as SafeUrl)
}

function safeUrl(value: unknown, origin: string): SafeUrl | undefined {
  if (typeof value !== "string" || value.length > maxCallbackUrl * 2) return undefined
  const url = parsed(value, origin)
  if (url === undefined || activeSchemes.has(url.protocol)) return undefined
  if (url.protocol !== "http:" && url.protocol !== "https:" && !value.startsWith(`${url.protocol}//`)) return undefined
  // An absolute URL stays as it's written: `https://app.test` gets no slash.
  return (namesHost(value) ? clean(value) : url.href) as SafeUrl
}

/** Parsed once: `URL.canParse` takes as long as the constructor. */
function parsed(value: string, base: string): URL | undefined {
  try {
    return new URL(value, base)
  } catch {
    return undefined
  }
}

/** An absolute URL, if it can be parsed at all. */
function namesHost(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\\]/i.test(value)
}

/** The form of the URL standard, if the text contains anything that browsers and servers read differently. */
function clean(value: string): string {
  return /^[\x21-\x7E]+$/.test(value) && !value.includes("\\") ? value : new URL(value).href
}

/** The default `redirect` callback. */
export const defaultRedirect: AuthContext["callbacks"]["redirect"] = async (params) => sameOriginOnly(params)

/** Only this origin, compared after parsing. */
export function sameOriginOnly({ url, baseUrl }: { url: string; baseUrl: string }): string {
  const target = parsed(url, baseUrl)
  if (target === undefined || !(target.origin === baseUrl || target.origin === new URL(baseUrl).origin)) return baseUrl
  return namesHost(url) ? url : target.href
}

/** An authorization endpoint, from the configuration or from verified metadata. */
export function toProvider(url: URL): SafeUrl {
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new AuthError("The authorization endpoint isn't an http(s) URL. Correct the provider's `authorization`")
  }
  return url.href as SafeUrl
}

/** Language tags, separated by spaces (OpenID Connect Core §3.1.2.1). */
const languageTags = /^[\w-]+(?: [\w-]+)*$/
const maxLanguageTags = 100

/** One of the built-in routes. It keeps `ui_locales`, so the next page is in the same language. */
export function toRoute(request: Pick<AuthRequest, "base" | "query">, path: string, params: Params = {}): SafeUrl {
  const locales = request.query["ui_locales"]
  const kept = locales !== undefined && locales.length <= maxLanguageTags && languageTags.test(locales)
  const query = new URLSearchParams(kept ? { ...params, ui_locales: locales } : params).toString()
  return `${request.base}/${path}${query === "" ? "" : `?${query}`}` as SafeUrl
}

/** A custom page, which may have a query. A path stays a path, so it also works behind a proxy that hides the host. */
export function toPage(request: Pick<AuthRequest, "base" | "origin">, page: string, params: Params): SafeUrl {
  // A page without a leading slash is relative to the route that redirects to it.
  const url = new URL(page, `${request.base}/`)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  const isPath = page.startsWith("/") && url.origin === request.origin
  return (isPath ? url.pathname + url.search + url.hash : url.href) as SafeUrl
}

/** Browsers drop cookies over 4096 bytes, name and attributes included (RFC 6265 §6.1). */
const maxCookieLength = 3800

/**
 * Where the user goes after a flow: to the URL that the request names, otherwise to the remembered one, otherwise to the
 * page that sent the form.
 */
export function callbackUrlOf(auth: AuthContext, request: AuthRequest, named?: string): Promise<SafeUrl> {
  const url = named ?? requestedCallbackUrl(request) ?? rememberedUrl(request) ?? formPage(auth, request)
  return resolveCallbackUrl(auth, request, url)
}

/** The callback URL that an earlier page of this sign-in remembered. */
export function rememberedUrl({ scheme, cookies }: AuthRequest): string | undefined {
  return textOf(cookies.get(scheme.cookies.callbackUrl.name))
}

function formPage(auth: AuthContext, request: AuthRequest): string | undefined {
  return request.method === "POST" ? pageThatSent(auth, request) : undefined
}

/** Remembers the callback URL that a request names, for those that don't name one. */
export async function rememberCallbackUrl(auth: AuthContext, request: AuthRequest): Promise<readonly SetCookie[]> {
  const requested = requestedCallbackUrl(request)
  return requested === undefined ? [] : rememberUrl(request, await resolveCallbackUrl(auth, request, requested))
}

/**
 * The cookie after a sign-in or sign-out that led to this URL. Applications may rely on Auth.js keeping it, so that the
 * next form without a callback URL leads there too. Under `"strict"` the next user of the browser doesn't get it.
 */
export function cookieAfter(auth: AuthContext, request: AuthRequest, url: SafeUrl): readonly SetCookie[] {
  const cookie = request.scheme.cookies.callbackUrl
  if (auth.rules.privateCallbackUrls) return request.cookies.has(cookie.name) ? [clearCookie(cookie)] : []
  // An OAuth sign-in has a callback URL of its own, and a sign-out uses the cookie, which may not be a URL of this site.
  const usesCookie = request.action === "signout" && request.cookies.has(cookie.name)
  return usesCookie || requestedCallbackUrl(request) !== undefined ? rememberUrl(request, url) : []
}

function rememberUrl({ scheme, cookies }: AuthRequest, url: SafeUrl): readonly SetCookie[] {
  const cookie = scheme.cookies.callbackUrl
  const isKnown = url === cookies.get(cookie.name)
  return isKnown || encodeURIComponent(url).length > maxCookieLength ? [] : [setCookie(cookie, url)]
}

/**
 * A form that was refused named the callback URL, but the URL of the next page doesn't, so the cookie keeps it. Never
 * throws.
 */
export async function rememberAfterFailure(auth: AuthContext, request: AuthRequest): Promise<readonly SetCookie[]> {
  if (request.method !== "POST") return []
  try {
    // Another site must not choose where the user's next sign-in leads.
    const isOwn = (await request.csrf.verified()) || !comesFromElsewhere(request)
    return isOwn ? await rememberCallbackUrl(auth, request) : []
  } catch {
    // The `redirect` callback failed. Report the first error, not this one.
    return []
  }
}

function comesFromElsewhere({ headers, origin }: AuthRequest): boolean {
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site !== "same-origin" && site !== "none"
  const sender = headers.get("origin")
  return sender !== null && sender !== origin
}

/** Last segments of the paths that applications commonly give a page for signing in or up. */
const signInPage = /^(?:auth|join|log[-_]?in|log[-_]?on|register|sign[-_]?in|sign[-_]?up)$/i

/**
 * The page of this site that sent the form, according to `Referer`. A sign-in page isn't a place to return to; its own
 * `callbackUrl` is. Under `"strict"` the query is dropped, because it may contain secrets such as a password reset token.
 */
export function pageThatSent(
  auth: AuthContext,
  { headers, origin }: Pick<AuthRequest, "headers" | "origin">,
): string | undefined {
  const referer = headers.get("referer")
  if (referer === null || referer.length > maxReferer || !URL.canParse(referer)) return undefined
  const page = new URL(referer)
  if (page.origin !== origin) return undefined
  if (isSignInPage(auth, page)) return page.searchParams.get("callbackUrl") ?? undefined
  return auth.rules.privateCallbackUrls ? page.pathname : page.pathname + page.search
}

function isSignInPage({ basePath, pages }: AuthContext, page: URL): boolean {
  const { pathname, searchParams } = page
  if ((basePath !== "" && pathname.startsWith(`${basePath}/`)) || searchParams.has("callbackUrl")) return true
  const own = pages.signIn === undefined ? undefined : new URL(pages.signIn, page).pathname
  return pathname === own || signInPage.test(pathname.split("/").findLast((segment) => segment !== "") ?? "")
}
