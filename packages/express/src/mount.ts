/** The properties that Express adds for routing. Declared here, so that the types of any major version match. */
export interface RoutedRequest {
  /** The request target as the client sent it. */
  readonly originalUrl: string
  /** The matched part of the mount paths. */
  readonly baseUrl: string
}

interface Params {
  /** Not in the type of requests, because Express infers the parameters of a route from the types of its handlers. */
  readonly params?: object
}

/**
 * The path of a handler: `/auth` if it's mounted at `/auth`, `/auth/*` (Express 4) or `/auth/*splat` (Express 5). It includes
 * the paths of parent routers and apps, and is empty at the root.
 */
export function mountPath({ originalUrl, baseUrl, params = {} }: RoutedRequest & Params): string {
  const segments = pathOf(originalUrl).split("/")
  for (const tail of wildcards(params)) {
    const start = segments.findIndex((_, index) => index > 0 && trimSlashes(decode(segments.slice(index))) === tail)
    if (start > 0) return segments.slice(0, start).join("/")
  }
  return baseUrl
}

/** The path of a request target, which can be in absolute form (RFC 9112 §3.2.2). */
export function pathOf(originalUrl: string): string {
  return targetOf(originalUrl).split("?", 1)[0] ?? "/"
}

/** The path and query of a request target, with a leading slash. */
export function targetOf(originalUrl: string): string {
  const target = originalUrl.replace(/^[^/?]*:\/\/[^/?]*/, "")
  return target.startsWith("/") ? target : `/${target}`
}

/** Express 5 has a wildcard as an array of segments, Express 4 as text with a number as its name. Both are decoded. */
function wildcards(params: object): readonly string[] {
  return Object.entries(params).flatMap(([name, value]: [string, unknown]) => {
    if (Array.isArray(value)) return [trimSlashes(value.join("/"))]
    return typeof value === "string" && /^\d+$/.test(name) ? [trimSlashes(value)] : []
  })
}

function decode(segments: readonly string[]): string {
  const text = segments.join("/")
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, "")
}
