import { AuthError } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, Params, SafeUrl } from "../model/http.js"

/** Schemes that run or show what they carry; everything else opens something or is refused by the browser. */
const activeSchemes: ReadonlySet<string> = new Set([
  "javascript:",
  "data:",
  "vbscript:",
  "blob:",
  "file:",
  "about:",
  "view-source:",
])

/** A URL longer than this is nobody's wish to return. */
const maxUrlLength = 2048

/**
 * Where the person goes next: what was asked for, as the `redirect` callback allows it, else the site itself.
 *
 * @throws what the `redirect` callback throws
 */
export async function resolveCallbackUrl(
  auth: AuthContext,
  request: AuthRequest,
  candidate: string | undefined,
): Promise<SafeUrl> {
  const { origin } = request
  const url = candidate !== undefined && candidate.length <= maxUrlLength ? candidate : origin
  const allowed: unknown = await auth.callbacks.redirect({ url, baseUrl: origin })
  const safe = safeUrl(allowed, origin)
  if (safe === undefined) {
    auth.logger.warn(
      "redirect-refused",
      "The redirect callback returned no http(s) URL: the site's own address is used instead",
    )
  }
  return safe ?? (origin as SafeUrl)
}

function safeUrl(value: unknown, origin: string): SafeUrl | undefined {
  if (typeof value !== "string" || value.length > maxUrlLength * 2 || !URL.canParse(value, origin)) return undefined
  const url = new URL(value, origin)
  if (activeSchemes.has(url.protocol)) return undefined
  if (url.protocol !== "http:" && url.protocol !== "https:" && !value.startsWith(`${url.protocol}//`)) return undefined
  // Kept as written where it is one already, so that `https://app.test` stays without a slash.
  return (isAbsolute(value) ? clean(value) : url.href) as SafeUrl
}

function isAbsolute(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\\]/i.test(value) && URL.canParse(value)
}

/** As the URL standard reads it if it holds anything that could be read otherwise. */
function clean(value: string): string {
  return /^[\x21-\x7E]+$/.test(value) && !value.includes("\\") ? value : new URL(value).href
}

/** The default of `callbacks.redirect`: this origin only, by parsed origin. */
export function sameOriginOnly({ url, baseUrl }: { url: string; baseUrl: string }): string {
  if (!URL.canParse(url, baseUrl)) return baseUrl
  const target = new URL(url, baseUrl)
  if (target.origin !== new URL(baseUrl).origin) return baseUrl
  return isAbsolute(url) ? url : target.href
}

/** An authorization endpoint, from the configuration or from verified metadata. */
export function toProvider(url: URL): SafeUrl {
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new AuthError("The authorization endpoint is not an http(s) URL: correct the provider's `authorization`")
  }
  return url.href as SafeUrl
}

/** One of our own routes. */
export function toRoute(request: AuthRequest, path: string, params: Params = {}): SafeUrl {
  const query = new URLSearchParams(params).toString()
  return `${request.base}/${path}${query === "" ? "" : `?${query}`}` as SafeUrl
}

/** A page of the developer's, which may have a query of its own. A path stays one: hosts that we cannot see fit too. */
export function toPage(request: AuthRequest, page: string, params: Params): SafeUrl {
  const url = new URL(page, request.origin)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  const isPath = page.startsWith("/") && url.origin === request.origin
  return (isPath ? url.pathname + url.search + url.hash : url.href) as SafeUrl
}
