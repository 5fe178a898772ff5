import type { SessionContext } from "../model/auth.js"
import type { SessionRequest, Visitor } from "../model/http.js"
import { isLoopback } from "../primitives/ip-address.js"
import { parseCookies } from "./cookie.js"
import { resolveOrigin } from "./origin.js"

/**
 * The part of a request that a session is read from. Every entry point starts here, so origin and cookies are read once.
 *
 * @throws UntrustedHost
 */
export function toSessionRequest(auth: SessionContext, visitor: Visitor): SessionRequest {
  const { headers, cookie = headers.get("cookie") } = visitor
  const own = visitor.origin ?? originFromHost(headers)
  const origin = resolveOrigin(auth, { own, headers })
  const isSecure = auth.useSecureCookies ?? origin.startsWith("https:")
  return { headers, origin, scheme: isSecure ? auth.https : auth.http, cookies: parseCookies(cookie) }
}

/** Without a forwarded scheme the default is https, except on the developer's own machine. */
function originFromHost(headers: Headers): string {
  const host = headers.get("host") ?? "localhost"
  if (!URL.canParse(`https://${host}`)) return "http://localhost"
  const url = new URL(`https://${host}`)
  return isLoopback(url) ? new URL(`http://${host}`).origin : url.origin
}
