import type { SessionContext } from "../model/auth.js"
import type { SchemeContext } from "../model/session-strategy.js"
import { createThrottle } from "../observability/throttle.js"
import { isPublicName } from "../primitives/ip-address.js"
import { scopedToSite } from "../primitives/state.js"

/**
 * Whether cookies have the attributes and names for https. The configuration decides: `useSecureCookies`, the scheme of `url`,
 * or an entry of `trustHost` with a scheme. Otherwise the scheme of the request does. In production, a client can send
 * `X-Forwarded-Proto: http` to a public site, or connect to the port behind the proxy. So cookies are insecure only if
 * `trustHost: true` leaves the scheme to the request, and nothing shows that a browser sent it over https.
 */
export function schemeFor(auth: SessionContext, origin: string, sent: Sent): SchemeContext {
  if (auth.useSecureCookies !== undefined) return auth.useSecureCookies ? auth.https : auth.http
  if (origin.startsWith("https:")) return auth.https
  if (isInsecureByConfig(auth, origin)) return auth.http
  const isPlain = auth.trustHost === true && auth.mode === "compatible" && !cameOverHttps(sent, origin)
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

const throttleOf = scopedToSite("insecure-requests", () => createThrottle({ maxListeners: 10 }))

function warn(auth: SessionContext, origin: string, isPlain: boolean): void {
  if (!throttleOf(auth).allows(`insecure ${isPlain}`, auth.logSink, 0)) return
  const result = isPlain
    ? "Its cookies aren't secure, so anyone on the network can read the session"
    : "Cookies stay secure in production, and browsers drop those over http"
  const fix =
    "Set AUTH_URL, or let the proxy send X-Forwarded-Proto. If the site has no https, set AUTH_URL to its http:// URL"
  auth.logger.warn("insecure-request", `A request for ${origin} came over http. ${result}. ${fix}`)
}
