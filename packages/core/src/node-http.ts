import type { SetCookie } from "./model/cookie.js"
import { serializeCookie } from "./http/cookie.js"

/** The members of a `node:http` response that {@link addCookies} uses. */
export interface NodeResponse {
  readonly headersSent: boolean
  getHeader(name: string): number | string | readonly string[] | undefined
  setHeader(name: string, value: readonly string[]): unknown
}

/** Converts the headers of a `node:http` message to `Headers`. */
export function headersOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Headers {
  const copy = new Headers()
  for (const [name, value] of Object.entries(headers)) for (const one of [value ?? []].flat()) copy.append(name, one)
  return copy
}

/**
 * Sets cookies on a `node:http` response, unless its headers have been sent. A cookie replaces an earlier one with the
 * same name, because a response must not set one name twice (RFC 6265bis §4.1.1).
 *
 * @example
 * ```ts
 * import { addCookies } from "@latchkey/core/node-http"
 * import { createServer } from "node:http"
 * createServer((_request, response) => {
 *   addCookies(response, [{ name: "theme", value: "dark", options: { path: "/" } }])
 *   response.end()
 * })
 * ```
 * @param cookies objects, or values of `Set-Cookie`
 */
export function addCookies(response: NodeResponse, cookies: readonly (SetCookie | string)[]): void {
  if (cookies.length === 0 || response.headersSent) return
  const lines = cookies.map((cookie) => (typeof cookie === "string" ? cookie : serializeCookie(cookie)))
  const names = new Set(lines.map(nameOf))
  const earlier = [response.getHeader("set-cookie") ?? []].flat().map(String)
  response.setHeader("set-cookie", [...earlier.filter((cookie) => !names.has(nameOf(cookie))), ...lines])
}

function nameOf(cookie: string): string | undefined {
  return cookie.split("=", 1)[0]
}
