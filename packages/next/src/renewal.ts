import { mergeCookies, nameIn, preventCaching, type SetCookie, serializeCookie } from "@latchkey/core/session-reader"
import { type NextRequest, NextResponse } from "next/server.js"

/**
 * Adds the cookies of a renewed session to the response. If the request continues to a page, the page gets them too;
 * otherwise it would read the old session. Headers and cookies that the application set stay.
 */
export function withRenewedSession(request: NextRequest, given: Response, cookies: readonly SetCookie[]): Response {
  if (cookies.length === 0) return given
  // The application may return a constant, which the next visitor gets too.
  const response = new NextResponse(given.body, given)
  // Caches in front of Next.js may store its static pages.
  preventCaching(response.headers)
  // If the application set a cookie of the same name, its cookie stays (RFC 6265bis §4.1.1 allows one per name).
  const set = new Set(given.headers.getSetCookie().map(nameIn))
  const missing = cookies.filter(({ name }) => !set.has(name))
  if (missing.length === 0) return response
  for (const cookie of missing) response.headers.append("set-cookie", serializeCookie(cookie))
  if (continues(response)) overrideRequestCookie(request, response, cookies)
  return response
}

function continues({ headers }: Response): boolean {
  return headers.has("x-middleware-next") || headers.has("x-middleware-rewrite")
}

const renewedHeader = "x-latchkey-session"

/**
 * Whether the middleware already renewed the session of this request. The page must not renew it again, because a
 * response can carry one cookie of a name. A client that forges this header only skips renewing its own session. Link
 * scanners send HEAD, and must not extend a session.
 */
export function mustNotRenew({
  method,
  headers,
}: {
  readonly method?: string | undefined
  readonly headers: Headers
}): boolean {
  return method === "HEAD" || headers.has(renewedHeader)
}

const overrideHeader = "x-middleware-override-headers"
const forwardPrefix = "x-middleware-request-"

/**
 * Replaces the `Cookie` header that the page sees, using the headers of `NextResponse.next({ request: { headers } })`.
 * Next.js drops every request header that the override doesn't list, so list all of them.
 */
function overrideRequestCookie(request: NextRequest, { headers }: Response, cookies: readonly SetCookie[]): void {
  if (!headers.has(overrideHeader)) {
    const forwarded = NextResponse.next({ request: { headers: request.headers } })
    for (const [name, value] of forwarded.headers) {
      if (name === overrideHeader || name.startsWith(forwardPrefix)) headers.set(name, value)
    }
  }
  const names = new Set((headers.get(overrideHeader) ?? "").split(",").filter((name) => name !== ""))
  headers.set(overrideHeader, [...names.add("cookie").add(renewedHeader)].join(","))
  headers.set(forwardPrefix + renewedHeader, "renewed")
  headers.set(`${forwardPrefix}cookie`, mergeCookies(headers.get(`${forwardPrefix}cookie`), cookies))
}
