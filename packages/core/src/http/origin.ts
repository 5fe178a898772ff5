import { UntrustedHost } from "../errors.js"
import { maxForwardedHost, maxForwardedProto, maxHost } from "../limits/of-input.js"
import type { SessionContext } from "../model/auth.js"
import type { Cookies, SessionRequest, Visitor } from "../model/http.js"
import type { Security } from "../model/security.js"
import type { SchemeContext } from "../model/session-strategy.js"
import { keepCookies } from "../observability/in-flight.js"
import { createThrottle } from "../observability/throttle.js"
import { isLoopback, isPublicName } from "../primitives/ip-address.js"
import { stateOf } from "../primitives/state.js"
import { readCookieHeader } from "./cookie.js"

/** What the origin of this deployment is derived from. */
export interface OriginSource {
  /** The origin that the request itself names. */
  readonly own: string
  readonly headers: Headers
}

type OriginPolicy = Pick<SessionContext, "origin" | "trustHost"> & {
  readonly security: Pick<Security, "listedOriginsOnly">
}

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port, and nothing that starts another URL part. */
const validHost = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9.])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Scheme and host of this deployment as the browser sees them: `config.url`, otherwise the forwarded headers of a trusted
 * proxy, otherwise the request itself. Nothing else decides them.
 *
 * @throws UntrustedHost
 */
export function resolveOrigin({ origin: fixed, trustHost, security }: OriginPolicy, source: OriginSource): string {
  if (fixed !== undefined) return fixed
  if (trustHost === false) {
    throw new UntrustedHost(
      "The host of the request isn't trusted. Set AUTH_URL to the URL of this site, or set `trustHost` if a proxy in front of it checks the host",
    )
  }
  const origin = claimedOrigin(source)
  if (
    trustHost === true
      ? security.listedOriginsOnly && !isLoopback(new URL(origin))
      : !trustHost.some((entry) => matches(entry, origin))
  ) {
    throw new UntrustedHost("The host of the request isn't configured. Add it to `trustHost`, or set AUTH_URL")
  }
  return origin
}

function claimedOrigin({ own, headers }: OriginSource): string {
  const proto = firstOf(headers.get("x-forwarded-proto"), maxForwardedProto)
  const host = firstOf(headers.get("x-forwarded-host"), maxForwardedHost)
  if (proto === undefined && host === undefined) return own
  const { protocol, host: ownHost } = new URL(own)
  const scheme = proto ?? protocol.slice(0, -1)
  const claimed = `${scheme}://${host ?? ownHost}`
  // The whole header must be a scheme. `https://evil.test/?` would name another host.
  if (!/^https?$/.test(scheme) || !isHost(host ?? ownHost) || !URL.canParse(claimed)) {
    throw new UntrustedHost("The request names an invalid host or protocol. Check the headers that the proxy sends")
  }
  return new URL(claimed).origin
}

function isHost(text: string): boolean {
  return text.length <= maxHost && validHost.test(text)
}

/** Each proxy appends a value, so the first is what the browser sent. */
function firstOf(header: string | null, maxLength: number): string | undefined {
  if (header !== null && header.length > maxLength)
    throw new UntrustedHost("A forwarded header of the request is too long. Check the headers that the proxy sends")
  const first = header?.split(",", 1)[0]?.trim().toLowerCase()
  return first === "" ? undefined : first
}

/**
 * `app.example.com`, or `*.example.com` with exactly one label in place of `*`. A scheme and a port must match if they're
 * given. Without a port, an entry with a scheme means its default port, and one without a scheme means any port.
 */
function matches(entry: string, origin: string): boolean {
  const { hostname, protocol, port } = new URL(origin)
  const [, scheme, star, name = "", wantedPort] = listedHost.exec(entry.toLowerCase()) ?? []
  if (scheme !== undefined && scheme !== protocol) return false
  const anyPort = scheme === undefined && wantedPort === undefined
  if (!anyPort && portOf(protocol, port) !== portOf(protocol, wantedPort ?? "")) return false
  return star === undefined ? name === hostname : isLabelOf(hostname, name)
}

const listedHost = /^(?:(https?:)\/\/)?(\*\.)?(.+?)(?::(\d+))?$/

/** Whether {@link resolveOrigin} can match hosts with this entry of `trustHost`. */
export function isHostPattern(entry: string): boolean {
  return validHost.test(entry.replace(/^(?:https?:\/\/)?(?:\*\.)?/i, ""))
}

function portOf(protocol: string, port: string): string {
  return port || (protocol === "https:" ? "443" : "80")
}

function isLabelOf(hostname: string, parent: string): boolean {
  const dot = hostname.indexOf(".")
  return dot > 0 && hostname.slice(dot + 1) === parent
}

/**
 * The part of a request that a session is read from. Every entry point starts here, so origin and cookies are read once.
 *
 * @throws UntrustedHost
 */
export function toSessionRequest(auth: SessionContext, visitor: Visitor): SessionRequest {
  const { headers, cookie = headers.get("cookie") } = visitor
  auth.audit?.sees({ visitor })
  if (visitor.cookie !== undefined) keepCookies(visitor, visitor.cookie)
  const own = visitor.origin ?? originFromHost(headers)
  const origin = resolveOrigin(auth, { own, headers })
  const scheme = schemeFor(auth, origin, { headers, cookie })
  // A page of another site makes the browser send cookies, and no such header. So a request is never of two users.
  const isNamed = auth.modules.some(({ authenticates }) => authenticates?.(headers) === true)
  const { cookies, omitsSome } = readCookieHeader(isNamed ? null : cookie)
  return { headers, origin, scheme, cookies: withVersion4(auth, scheme, cookies), omitsCookies: omitsSome }
}

/** A form or sign-in that began with version 4 continues with its CSRF token and callback URL. */
function withVersion4(
  { runtime }: SessionContext,
  { version4, cookies: own }: SchemeContext,
  cookies: Cookies,
): Cookies {
  if (version4 === undefined || !(runtime.now() < version4.until)) return cookies
  const found = version4.sameFormat.flatMap(({ key, cookie }) => {
    const value = cookies.get(cookie.name)
    return value === undefined || cookies.has(own[key].name) ? [] : [[own[key].name, value] as const]
  })
  return found.length === 0 ? cookies : new Map([...cookies, ...found])
}

/**
 * The origin that the `Host` header names. Its scheme is https, except on the developer's own machine.
 *
 * @throws UntrustedHost if the header is too long
 */
export function originFromHost(headers: Headers): string {
  const host = headers.get("host") ?? "localhost"
  if (host.length > maxHost) throw new UntrustedHost("The Host header is too long. No browser sends such a request")
  if (!URL.canParse(`https://${host}`)) return "http://localhost"
  const url = new URL(`https://${host}`)
  return isLoopback(url) ? new URL(`http://${host}`).origin : url.origin
}

/**
 * Whether cookies have the attributes and names for https. The configuration decides: `useSecureCookies`, the scheme of `url`,
 * or an entry of `trustHost` with a scheme. Otherwise the scheme of the request does. In production, a client can send
 * `X-Forwarded-Proto: http` to a public site, or connect to the port behind the proxy. So cookies are insecure only if
 * `trustHost: true` leaves the scheme to the request, and nothing shows that a browser sent it over https.
 */
function schemeFor(auth: SessionContext, origin: string, sent: Sent): SchemeContext {
  if (auth.useSecureCookies !== undefined) return auth.useSecureCookies ? auth.https : auth.http
  if (origin.startsWith("https:")) return auth.https
  if (isInsecureByConfig(auth, origin)) return auth.http
  const isPlain = auth.trustHost === true && !auth.rules.secureCookies && !cameOverHttps(sent, origin)
  warn(auth, origin, isPlain)
  return isPlain ? auth.http : auth.https
}

function isInsecureByConfig({ origin: fixed, trustHost, production }: SessionContext, origin: string): boolean {
  if (fixed !== undefined || !production || !isPublicName(new URL(origin).hostname)) return true
  return typeof trustHost !== "boolean" && trustHost.some((entry) => /^http:/i.test(entry))
}

/** What a request says about how the browser sent it. */
interface Sent {
  readonly headers: Headers
  readonly cookie: string | null
}

/**
 * Browsers send `Sec-Fetch-Site` over https only, except to the own machine (Fetch Metadata §2), and cookies with these
 * prefixes too (RFC 6265bis §4.1.3). Before 2023, Safari sent only `Origin`. No site can make the browser of a user leave them out.
 */
function cameOverHttps({ headers, cookie }: Sent, origin: string): boolean {
  if (headers.has("sec-fetch-site") || /(?:^|;)[ \t]*__(?:Secure|Host)-/i.test(cookie ?? "")) return true
  return headers.get("origin")?.replace(/^https:\/\/|:\d+$/g, "") === new URL(origin).hostname
}

const throttleOf = stateOf("insecure-requests", () => createThrottle({ maxListeners: 10 }))

function warn(auth: SessionContext, origin: string, isPlain: boolean): void {
  if (!throttleOf(auth).allows(`insecure ${isPlain}`, auth.logSink, 0)) return
  const result = isPlain
    ? "Its cookies aren't secure, so anyone on the network can read the session"
    : "Cookies stay secure in production, and browsers drop those over http"
  const fix =
    "Set AUTH_URL, or let the proxy send X-Forwarded-Proto. If the site has no https, set AUTH_URL to its http:// URL"
  auth.logger.warn("insecure-request", `A request for ${origin} came over http. ${result}. ${fix}`)
}
