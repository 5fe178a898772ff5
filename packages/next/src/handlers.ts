import type { NextRequest } from "next/server.js"
import type { Site } from "./site.js"

/** Answers a request to the routes of the engine. */
export async function handle<S>(site: Site<S>, request: NextRequest): Promise<Response> {
  const engine = await site.engine()
  return engine.handle(below(site.basePath, request))
}

/**
 * The request with the path that the browser asked for: Next.js takes its own `basePath` away from what it hands to a
 * route handler, and the addresses of the engine are made with it.
 */
function below(basePath: string, request: NextRequest): Request {
  const url = new URL(request.url)
  const segments = basePath.split("/")
  for (let missing = 1; missing < segments.length; missing++) {
    if (url.pathname.startsWith(`${basePath}/`)) return request
    const mounted = `/${segments.slice(missing + 1).join("/")}`
    if (mounted !== "/" && url.pathname.startsWith(`${mounted}/`)) {
      url.pathname = segments.slice(0, missing + 1).join("/") + url.pathname
      return new Request(url, request)
    }
  }
  return request
}
