import { maxReferer } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, SafeUrl } from "../model/http.js"
import { requestedCallbackUrl, textOf } from "./auth-request.js"
import { clearCookie, setCookie } from "./cookie.js"
import { resolveCallbackUrl } from "./redirect.js"

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
  if (auth.mode === "strict") return request.cookies.has(cookie.name) ? [clearCookie(cookie)] : []
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
  return auth.mode === "strict" ? page.pathname : page.pathname + page.search
}

function isSignInPage({ basePath, pages }: AuthContext, page: URL): boolean {
  const { pathname, searchParams } = page
  if ((basePath !== "" && pathname.startsWith(`${basePath}/`)) || searchParams.has("callbackUrl")) return true
  const own = pages.signIn === undefined ? undefined : new URL(pages.signIn, page).pathname
  return pathname === own || signInPage.test(pathname.split("/").findLast((segment) => segment !== "") ?? "")
}
