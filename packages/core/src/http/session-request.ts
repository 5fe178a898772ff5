import { maxHost } from "../limits/of-input.js"
import { UntrustedHost } from "../errors.js"
import type { SessionContext } from "../model/auth.js"
import type { Cookies, SessionRequest, Visitor } from "../model/http.js"
import type { SchemeContext } from "../model/session-strategy.js"
import { keepCookies } from "../observability/in-flight.js"
import { isLoopback } from "../primitives/ip-address.js"
import { readCookieHeader } from "./cookie.js"
import { resolveOrigin } from "./origin.js"
import { schemeFor } from "./scheme.js"

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
  const { cookies, omitsSome } = readCookieHeader(cookie)
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

/** Without a forwarded scheme the default is https, except on the developer's own machine. */
function originFromHost(headers: Headers): string {
  const host = headers.get("host") ?? "localhost"
  if (host.length > maxHost) throw new UntrustedHost("The Host header is too long. No browser sends such a request")
  if (!URL.canParse(`https://${host}`)) return "http://localhost"
  const url = new URL(`https://${host}`)
  return isLoopback(url) ? new URL(`http://${host}`).origin : url.origin
}
