import type { SetCookie } from "@latchkey/core/session-reader"
import { type NextRequest, NextResponse } from "next/server.js"
import { missingFrom, withCookies } from "./cookies.js"

/**
 * The response with the renewed session: to the browser, and, where the request goes on to a page, to that page as well,
 * which would otherwise still read the old cookie. What the application put on the response stays.
 */
export function withSession(request: NextRequest, given: Response, cookies: readonly SetCookie[]): Response {
  const lines = missingFrom(given.headers.getSetCookie(), cookies)
  if (lines.length === 0) return given
  const response = writable(given)
  for (const line of lines) response.headers.append("set-cookie", line)
  if (goesOn(response)) overrideCookie(request, response, cookies)
  return response
}

function goesOn({ headers }: Response): boolean {
  return headers.has("x-middleware-next") || headers.has("x-middleware-rewrite")
}

const mark = "x-latchkey-session"

/**
 * Whether the middleware has renewed the session of this very request: one answer carries one cookie of a name. Whoever
 * sends this header on their own only forgoes the renewal of their own session.
 */
export function isRenewed(headers: Headers): boolean {
  return headers.has(mark)
}

const overridden = "x-middleware-override-headers"
const prefix = "x-middleware-request-"

/** Next.js takes over the named headers only, and drops the others: all of them have to be named. */
function overrideCookie(request: NextRequest, { headers }: Response, cookies: readonly SetCookie[]): void {
  if (!headers.has(overridden)) {
    const forwarded = NextResponse.next({ request: { headers: request.headers } })
    for (const [name, value] of forwarded.headers) {
      if (name === overridden || name.startsWith(prefix)) headers.set(name, value)
    }
  }
  const names = new Set((headers.get(overridden) ?? "").split(",").filter((name) => name !== ""))
  headers.set(overridden, [...names.add("cookie").add(mark)].join(","))
  headers.set(prefix + mark, "renewed")
  headers.set(`${prefix}cookie`, withCookies(headers.get(`${prefix}cookie`), cookies))
}

/** The headers of `Response.redirect()` and of a fetched response cannot be changed. */
function writable(response: Response): Response {
  try {
    response.headers.append("x-latchkey", "")
    response.headers.delete("x-latchkey")
    return response
  } catch {
    const { status, statusText, body } = response
    return new Response(body, { status, statusText, headers: new Headers(response.headers) })
  }
}
