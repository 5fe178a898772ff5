import type { SessionContext } from "../model/auth.js"
import type { SchemeContext } from "../model/session-strategy.js"
import { createThrottle } from "../observability/throttle.js"
import { isPublicName } from "../primitives/ip-address.js"
import { scopedToSite } from "../primitives/state.js"

/**
 * Whether cookies have the attributes and names for https. The configuration decides: `useSecureCookies`, the scheme of `url`,
 * or an entry of `trustHost` with a scheme. Otherwise the scheme of the request does, but in production no request makes the
 * cookies of a public site insecure: a client can send `X-Forwarded-Proto: http`, or connect to the port behind the proxy.
 */
export function schemeFor(auth: SessionContext, origin: string): SchemeContext {
  if (auth.useSecureCookies !== undefined) return auth.useSecureCookies ? auth.https : auth.http
  if (origin.startsWith("https:")) return auth.https
  if (isInsecureByConfig(auth, origin)) return auth.http
  warn(auth, origin)
  return auth.https
}

function isInsecureByConfig({ origin: fixed, trustHost, production }: SessionContext, origin: string): boolean {
  if (fixed !== undefined || !production || !isPublicName(new URL(origin).hostname)) return true
  return typeof trustHost !== "boolean" && trustHost.some((entry) => /^http:/i.test(entry))
}

const throttleOf = scopedToSite("insecure-requests", () => createThrottle({ maxListeners: 10 }))

function warn(auth: SessionContext, origin: string): void {
  if (!throttleOf(auth).allows("insecure", auth.logSink, 0)) return
  const fix =
    "Set AUTH_URL, or let the proxy send X-Forwarded-Proto. If the site has no https, set AUTH_URL to its http:// URL"
  auth.logger.warn(
    "insecure-request",
    `A request for ${origin} came over http. Cookies stay secure in production. ${fix}`,
  )
}
