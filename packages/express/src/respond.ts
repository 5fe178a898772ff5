import type { ServerResponse } from "node:http"

/** Writes a web response into one of Node. */
export async function respond(response: Response, res: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  // A middleware that lost its patience (a timeout, say) has answered in the meantime.
  if (res.headersSent) return
  res.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name === "vary") res.appendHeader(name, value)
    else if (name !== "set-cookie") res.setHeader(name, value)
  }
  addCookies(res, response.headers.getSetCookie())
  res.end(body)
}

/** One response has one cookie jar: a cookie of the same name that was set before is replaced (RFC 6265bis §4.1.1). */
export function addCookies(res: ServerResponse, cookies: readonly string[]): void {
  if (cookies.length === 0 || res.headersSent) return
  const names = new Set(cookies.map(nameOf))
  const earlier = [res.getHeader("set-cookie") ?? []].flat().map(String)
  res.setHeader("set-cookie", [...earlier.filter((cookie) => !names.has(nameOf(cookie))), ...cookies])
}

function nameOf(cookie: string): string | undefined {
  return cookie.split("=", 1)[0]
}
