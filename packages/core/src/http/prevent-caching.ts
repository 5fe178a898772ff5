/** Headers that tell one kind of cache what `Cache-Control` tells all. */
const cacheHeaders =
  /^(?:surrogate-control|expires|pragma|x-accel-expires|(?:[a-z]+-)*cdn-cache-control|x-litespeed-cache-control)$/

/** The headers of a response, as `Headers` or as the methods of a `node:http` response. */
export interface ResponseHeaders {
  get(name: string): string | null
  set(name: string, value: string): void
  delete(name: string): void
  keys(): Iterable<string>
}

/**
 * Keeps a response out of every shared cache (RFC 9111 §5.2.2), whatever its headers said before. A response that sets a
 * cookie of one user must not be served to another one. Call it on each response that gets cookies.
 *
 * @example
 * ```ts
 * import { preventCaching } from "@latchkey/core/server"
 * const response = new Response("page", { headers: { "cache-control": "s-maxage=60" } })
 * preventCaching(response.headers)
 * console.log(response.headers.get("cache-control")) // "private, no-store"
 * ```
 */
export function preventCaching(headers: ResponseHeaders): void {
  const others = [...headers.keys()].filter((name) => cacheHeaders.test(name))
  for (const name of others) headers.delete(name)
  // A proxy that compresses would break the stream of an application that forbids it.
  const kept = /\bno-transform\b/i.test(headers.get("cache-control") ?? "") ? ", no-transform" : ""
  headers.set("cache-control", `private, no-store${kept}`)
  const vary = headers.get("vary") ?? ""
  const fields = vary.split(",").map((field) => field.trim().toLowerCase())
  if (!fields.includes("cookie") && !fields.includes("*"))
    headers.set("vary", vary === "" ? "Cookie" : `${vary}, Cookie`)
}
