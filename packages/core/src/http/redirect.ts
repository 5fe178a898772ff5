import { AuthError } from "../errors.js"
import { maxCallbackUrl, maxUrlPart } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, Params, SafeUrl } from "../model/http.js"

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
  const isFinal = auth.mode === "compatible" && redirect === defaultRedirect && isAbsolute(chosen)
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
  if (typeof value !== "string" || value.length > maxCallbackUrl * 2 || !URL.canParse(value, origin)) return undefined
  const url = new URL(value, origin)
  if (activeSchemes.has(url.protocol)) return undefined
  if (url.protocol !== "http:" && url.protocol !== "https:" && !value.startsWith(`${url.protocol}//`)) return undefined
  // An absolute URL stays as it's written: `https://app.test` gets no slash.
  return (isAbsolute(value) ? clean(value) : url.href) as SafeUrl
}

function isAbsolute(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\\]/i.test(value) && URL.canParse(value)
}

/** The form of the URL standard, if the text contains anything that browsers and servers read differently. */
function clean(value: string): string {
  return /^[\x21-\x7E]+$/.test(value) && !value.includes("\\") ? value : new URL(value).href
}

/** The default `redirect` callback. */
export const defaultRedirect: AuthContext["callbacks"]["redirect"] = async (params) => sameOriginOnly(params)

/** Only this origin, compared after parsing. */
export function sameOriginOnly({ url, baseUrl }: { url: string; baseUrl: string }): string {
  if (!URL.canParse(url, baseUrl)) return baseUrl
  const target = new URL(url, baseUrl)
  if (target.origin !== new URL(baseUrl).origin) return baseUrl
  return isAbsolute(url) ? url : target.href
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
