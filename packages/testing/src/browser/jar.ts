import { type ParsedCookie, parseSetCookie } from "./set-cookie.js"
import { siteOf } from "./site.js"
import { trackCookies } from "../secrets.js"

/** A cookie in the jar. */
export interface JarCookie {
  readonly name: string
  readonly value: string
  /** The `Domain` attribute, or the host without one. */
  readonly domain: string
  /** Whether the cookie isn't sent to subdomains. */
  readonly hostOnly: boolean
  readonly path: string
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly sameSite: "strict" | "lax" | "none"
  /** Milliseconds since 1970; `undefined` for a cookie that lasts until the browser closes. */
  readonly expires: number | undefined
}

/** The request that decides which cookies are stored and sent (RFC 6265bis §5.8.3). */
export interface CookieUse {
  readonly url: URL
  readonly method: string
  /** Whether the initiator of the request is on the same site. */
  readonly sameSite: boolean
  /** Whether the request opens a page, unlike a request of a script or for an image. */
  readonly navigation: boolean
}

/** The cookies of one browser. */
export interface CookieJar {
  /** The cookies that haven't expired, in the order of their creation. */
  readonly cookies: readonly JarCookie[]
  /** Stores the cookies of a response's `Set-Cookie` headers, if a browser would accept them. */
  store(lines: readonly string[], use: CookieUse): void
  /** The `Cookie` header for a request; empty if no cookie matches. */
  header(use: CookieUse): string
  /** Adds a cookie without checks. It replaces the cookie with the same name, domain and path. */
  put(cookie: JarCookie): void
  /** Removes all cookies with this name. */
  remove(name: string): void
}

/**
 * Creates a cookie jar that follows RFC 6265bis.
 *
 * @param now returns milliseconds since 1970
 */
export function createJar(now: () => number): CookieJar {
  let stored: readonly JarCookie[] = []
  const unexpired = () => stored.filter(({ expires }) => expires === undefined || expires > now())
  const put = (cookie: JarCookie) => {
    const index = stored.findIndex((other) => isSame(other, cookie))
    // A replaced cookie keeps its creation time and so its place in the order (RFC 6265bis §5.7, step 22).
    stored = index < 0 ? [...stored, cookie] : stored.with(index, cookie)
    stored = unexpired()
  }
  return {
    get cookies() {
      return unexpired()
    },
    store(lines, use) {
      trackCookies(lines)
      for (const line of lines) {
        const parsed = parseSetCookie(line, now())
        const cookie = parsed === undefined ? undefined : accept(parsed, use, unexpired())
        if (cookie !== undefined) put(cookie)
      }
    },
    header: (use) =>
      unexpired()
        .filter((cookie) => isSent(cookie, use))
        .toSorted((a, b) => b.path.length - a.path.length)
        .map(({ name, value }) => (name === "" ? value : `${name}=${value}`))
        .join("; "),
    put,
    remove: (name) => {
      stored = stored.filter((cookie) => cookie.name !== name)
    },
  }
}

function isSame(a: JarCookie, b: JarCookie): boolean {
  return a.name === b.name && a.domain === b.domain && a.path === b.path && a.hostOnly === b.hostOnly
}

/** RFC 6265bis §5.7. Returns `undefined` if a browser rejects the cookie. */
function accept(parsed: ParsedCookie, use: CookieUse, stored: readonly JarCookie[]): JarCookie | undefined {
  const { domain, path = "", ...rest } = parsed
  const ownHost = domain === undefined || domain === ""
  const cookie = {
    ...rest,
    domain: ownHost ? use.url.hostname : domain,
    hostOnly: ownHost,
    path: path.startsWith("/") ? path : defaultPath(use.url.pathname),
  }
  const isAccepted =
    isDomainAllowed(cookie, use.url) &&
    isSecureAllowed(cookie, use.url, stored) &&
    isSameSiteAllowed(cookie, use) &&
    isPrefixAllowed(parsed, cookie)
  return isAccepted ? cookie : undefined
}

/** RFC 6265bis §5.7, step 15: a response over http can't set a secure cookie or overlay one. */
function isSecureAllowed(cookie: JarCookie, { protocol }: URL, stored: readonly JarCookie[]): boolean {
  return protocol === "https:" || (!cookie.secure && !stored.some((other) => other.secure && overlays(cookie, other)))
}

function isSameSiteAllowed({ sameSite, secure }: JarCookie, use: CookieUse): boolean {
  return sameSite === "none" ? secure : use.sameSite || use.navigation
}

/** The domain must not be above the site: a cookie for `com` would be sent to all sites in it. */
function isDomainAllowed({ domain }: JarCookie, url: URL): boolean {
  const site = new URL(siteOf(url)).hostname
  return domain === url.hostname || (domainMatches(url.hostname, domain) && domainMatches(domain, site))
}

function domainMatches(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

function overlays(cookie: JarCookie, other: JarCookie): boolean {
  const overlaps = domainMatches(other.domain, cookie.domain) || domainMatches(cookie.domain, other.domain)
  return other.name === cookie.name && overlaps && pathMatches(cookie.path, other.path)
}

/** RFC 6265bis §4.1.3: prefixes are case-insensitive. A nameless cookie is rejected if its value starts with one. */
function isPrefixAllowed(parsed: ParsedCookie, cookie: JarCookie): boolean {
  const name = (parsed.name === "" ? parsed.value : parsed.name).toLowerCase()
  const isHost = name.startsWith("__host-")
  if (!isHost && !name.startsWith("__secure-")) return true
  if (parsed.name === "" || !cookie.secure) return false
  return !isHost || (cookie.hostOnly && parsed.path === "/")
}

/** RFC 6265bis §5.1.4. */
function defaultPath(pathname: string): string {
  const end = pathname.lastIndexOf("/")
  return end <= 0 ? "/" : pathname.slice(0, end)
}

function pathMatches(requestPath: string, cookiePath: string): boolean {
  if (requestPath === cookiePath) return true
  return requestPath.startsWith(cookiePath.endsWith("/") ? cookiePath : `${cookiePath}/`)
}

function isSent(cookie: JarCookie, use: CookieUse): boolean {
  const { hostname, pathname, protocol } = use.url
  const hostMatches = cookie.hostOnly ? hostname === cookie.domain : domainMatches(hostname, cookie.domain)
  const schemeMatches = !cookie.secure || protocol === "https:"
  return hostMatches && schemeMatches && pathMatches(pathname, cookie.path) && siteMatches(cookie, use)
}

function siteMatches(cookie: JarCookie, { sameSite, navigation, method }: CookieUse): boolean {
  if (sameSite || cookie.sameSite === "none") return true
  return cookie.sameSite === "lax" && navigation && (method === "GET" || method === "HEAD")
}
