import type { SetCookie } from "@latchkey/core/integration"
import { preventCaching, serializeCookie } from "@latchkey/core/server"
import {
  appendResponseHeader,
  getResponseHeader,
  getResponseHeaders,
  removeResponseHeader,
  setResponseHeader,
} from "@tanstack/react-start/server"

/** Start adds them to whatever becomes the response, also to a redirect or an error. */
export function setCookies(cookies: readonly SetCookie[]): void {
  addCookies(cookies.map(serializeCookie))
  setResponseHeader("cache-control", "private, no-store")
}

/** A cookie replaces an earlier one of the same name. */
export function addCookies(lines: readonly string[]): void {
  for (const line of lines) appendResponseHeader("set-cookie", line)
}

/** Once the application has set its own headers. */
export function keepOutOfCaches(): void {
  preventCaching({
    get: (name) => getResponseHeader(name) ?? null,
    set: setResponseHeader,
    delete: removeResponseHeader,
    keys: () => [...getResponseHeaders()].map(([name]) => name),
  })
}
