import { drained, type Env, type FrameworkRequest, isNavigation } from "@latchkey/core/integration"
import type { RouterContextProvider } from "react-router"

/** A request, as the middleware got it. Loaders and actions can get copies of it. */
export interface Incoming {
  readonly request: Request
  readonly context: Readonly<RouterContextProvider>
}

/** Whether the browser's router fetches data of a page. It follows redirects as if it had opened the page. */
export function isDataRequest({ url }: Request): boolean {
  return new URL(url).pathname.endsWith(".data")
}

/** Describes a request without what React Router adds to its URL. */
export function read({ request }: Incoming): FrameworkRequest & { readonly page: string } {
  const { method, headers } = request
  const url = pageUrl(request)
  return {
    method,
    url,
    headers,
    page: url.pathname + url.search,
    opensPage: isDataRequest(request) || isNavigation(headers),
    // React Router puts `basename` in front of a path.
    needsFullUrl: true,
  }
}

/** The request for an auth route. A form that the browser's router sends goes to a URL that ends with `.data`. */
export function toRequest({ request }: Incoming): Request {
  const { method, headers, body, signal } = request
  const init = body === null ? {} : { body: drained(body), duplex: "half" as const }
  return new Request(isDataRequest(request) ? pageUrl(request) : request.url, { method, headers, signal, ...init })
}

function pageUrl(request: Request): URL {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/(?:(?<=\/)_)?\.data$/, "")
  if (url.searchParams.has("_routes")) url.searchParams.delete("_routes")
  // `?index` chooses the action of an index route. A field of the application with this name has a value.
  if (url.searchParams.get("index") === "") url.searchParams.delete("index")
  return url
}

/** Whether a build makes this page. It has no visitor, and a build has no secret. */
export function isPrerendered(env: Env): boolean {
  return env["IS_RR_BUILD_REQUEST"] === "yes"
}
