import type { SetCookie } from "../model/cookie.js"
import { serializeCookie } from "./cookie.js"
import { preventCaching } from "./prevent-caching.js"

/** The `Cookie` header of a browser that has stored these cookies. */
export function mergeCookies(header: string | null, set: readonly SetCookie[]): string {
  const names = new Set(set.map(({ name }) => name))
  const kept = (header ?? "").split(";").filter((pair) => pair.trim() !== "" && !names.has(nameIn(pair)))
  const added = set
    .filter(({ options }) => options.maxAge !== 0)
    .map((cookie) => serializeCookie(cookie).split(";", 1)[0])
  return [...kept.map((pair) => pair.trim()), ...added].join("; ")
}

/** The name of a cookie in `name=value`. */
export function nameIn(pair: string): string {
  return pair.split("=", 1)[0]?.trim() ?? ""
}

/**
 * A copy of a response with cookies. One of ours replaces an earlier one of its name. The response itself may be a constant of
 * the application, which the next visitor gets too.
 */
export function withCookies(response: Response, cookies: readonly SetCookie[]): Response {
  // A copy of a protocol switch would lose its connection, and one of a network error can't be made.
  if (response.status < 200) return response
  const result = new Response(response.body, response)
  appendCookies(result.headers, cookies.map(serializeCookie))
  return result
}

/**
 * Sets cookies in the headers of a response, which no shared cache may store then. One of ours replaces an earlier one of its name.
 *
 * @param lines values of `Set-Cookie`
 */
export function appendCookies(headers: Headers, lines: readonly string[]): void {
  const names = new Set(lines.map(nameIn))
  const earlier = headers.getSetCookie().filter((line) => !names.has(nameIn(line)))
  headers.delete("set-cookie")
  for (const line of [...earlier, ...lines]) headers.append("set-cookie", line)
  preventCaching(headers)
}
