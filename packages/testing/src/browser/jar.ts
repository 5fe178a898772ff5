import { type ParsedCookie, parseSetCookie } from "./set-cookie.js"
import { siteOf } from "./site.js"
import { knowCookies } from "../secrets.js"

/** A cookie in the jar. */
export interface JarCookie {
  readonly name: string
  readonly value: string
  /** The host, or the domain if the cookie was set for one. */
  readonly domain: string
  /** Whether subdomains do not get it. */
  readonly hostOnly: boolean
  readonly path: string
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly sameSite: "strict" | "lax" | "none"
  /** Milliseconds since 1970; `undefined`: until the browser closes. */
  readonly expires: number | undefined
}

/** What decides which cookies go along (RFC 6265bis §5.8.3). */
export interface CookieUse {
  readonly url: URL
  readonly method: string
  readonly sameSite: boolean
  /** A page is being opened, in contrast to a script or an image that is fetched. */
  readonly navigation: boolean
}

/** The cookies of one browser. */
export interface CookieJar {
  readonly cookies: readonly JarCookie[]
  /** Reads the `Set-Cookie` lines of an answer to `use`. */
  store(lines: readonly string[], use: CookieUse): void
  /** The `Cookie` header; empty if there is none. */
  header(use: CookieUse): string
  /** Puts in a cookie as it is, or replaces the one of the same name, domain and path. */
  put(cookie: JarCookie): void
  /** Removes every cookie of this name. */
  remove(name: string): void
}

/** A jar after RFC 6265bis. `now`: milliseconds since 1970. */
export function createJar(now: () => number): CookieJar {
  let kept: readonly JarCookie[] = []
  const alive = () => kept.filter(({ expires }) => expires === undefined || expires > now())
  const put = (cookie: JarCookie) => {
    const old = kept.findIndex((other) => isSame(other, cookie))
    // A replaced cookie keeps its place: the order is that of creation (§5.7, step 22).
    kept = old < 0 ? [...kept, cookie] : kept.with(old, cookie)
    kept = alive()
  }
  return {
    get cookies() {
      return alive()
    },
    store(lines, use) {
      knowCookies(lines)
      for (const line of lines) {
        const parsed = parseSetCookie(line, now())
        const cookie = parsed === undefined ? undefined : accept(parsed, use, alive())
        if (cookie !== undefined) put(cookie)
      }
    },
    header: (use) =>
      alive()
        .filter((cookie) => isSent(cookie, use))
        .toSorted((a, b) => b.path.length - a.path.length)
        .map(({ name, value }) => (name === "" ? value : `${name}=${value}`))
        .join("; "),
    put,
    remove: (name) => {
      kept = kept.filter((cookie) => cookie.name !== name)
    },
  }
}

function isSame(a: JarCookie, b: JarCookie): boolean {
  return a.name === b.name && a.domain === b.domain && a.path === b.path && a.hostOnly === b.hostOnly
}

/** RFC 6265bis §5.7: `undefined` where a browser refuses the cookie. */
function accept(parsed: ParsedCookie, use: CookieUse, present: readonly JarCookie[]): JarCookie | undefined {
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
    isSecureEnough(cookie, use.url, present) &&
    isSameSiteEnough(cookie, use) &&
    hasHonestPrefix(parsed, cookie)
  return isAccepted ? cookie : undefined
}

/** "Leave secure cookies alone" (§5.7, step 15): http cannot set them, nor hide one. */
function isSecureEnough(cookie: JarCookie, { protocol }: URL, present: readonly JarCookie[]): boolean {
  return protocol === "https:" || (!cookie.secure && !present.some((other) => other.secure && hides(cookie, other)))
}

function isSameSiteEnough({ sameSite, secure }: JarCookie, use: CookieUse): boolean {
  return sameSite === "none" ? secure : use.sameSite || use.navigation
}

/** A domain above the site, such as `com`, would be everybody's. */
function isDomainAllowed({ domain }: JarCookie, url: URL): boolean {
  const site = new URL(siteOf(url)).hostname
  return domain === url.hostname || (domainMatches(url.hostname, domain) && domainMatches(domain, site))
}

function domainMatches(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

function hides(cookie: JarCookie, other: JarCookie): boolean {
  const overlaps = domainMatches(other.domain, cookie.domain) || domainMatches(cookie.domain, other.domain)
  return other.name === cookie.name && overlaps && pathMatches(cookie.path, other.path)
}

/** §4.1.3: prefixes are compared without case, and a nameless cookie must not look like a prefixed one. */
function hasHonestPrefix(parsed: ParsedCookie, cookie: JarCookie): boolean {
  const name = (parsed.name === "" ? parsed.value : parsed.name).toLowerCase()
  const isHost = name.startsWith("__host-")
  if (!isHost && !name.startsWith("__secure-")) return true
  if (parsed.name === "" || !cookie.secure) return false
  return !isHost || (cookie.hostOnly && parsed.path === "/")
}

/** RFC 6265bis §5.1.4 */
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
  const fitsHost = cookie.hostOnly ? hostname === cookie.domain : domainMatches(hostname, cookie.domain)
  const fitsScheme = !cookie.secure || protocol === "https:"
  return fitsHost && fitsScheme && pathMatches(pathname, cookie.path) && fitsSite(cookie.sameSite, use)
}

function fitsSite(wanted: JarCookie["sameSite"], { sameSite, navigation, method }: CookieUse): boolean {
  if (sameSite || wanted === "none") return true
  return wanted === "lax" && navigation && (method === "GET" || method === "HEAD")
}
