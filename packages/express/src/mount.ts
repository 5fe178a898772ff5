/** What Express tells of a request, in every major: no type package has to match. */
export interface Routed {
  /** The request target as it came. */
  readonly originalUrl: string
  /** What the mounts on the way here matched. */
  readonly baseUrl: string
  readonly params: object
}

/**
 * The path that a handler is mounted at: `/auth` for the mounts `/auth`, `/auth/*` (Express 4) and `/auth/*splat`
 * (Express 5), with the prefixes of routers and sub-applications; empty at the root.
 */
export function mountOf({ originalUrl, baseUrl, params }: Routed): string {
  const segments = pathOf(originalUrl).split("/")
  for (const tail of wildcards(params)) {
    const start = segments.findIndex((_, index) => index > 0 && trimmed(decoded(segments.slice(index))) === tail)
    if (start > 0) return segments.slice(0, start).join("/")
  }
  return baseUrl
}

/** The path of a request target, which may be in absolute form (RFC 9112 §3.2.2). */
export function pathOf(originalUrl: string): string {
  return targetOf(originalUrl).split("?", 1)[0] ?? "/"
}

/** Path and query of a request target, always with a leading slash. */
export function targetOf(originalUrl: string): string {
  const target = originalUrl.replace(/^[^/?]*:\/\/[^/?]*/, "")
  return target.startsWith("/") ? target : `/${target}`
}

/** Express 5 gives a wildcard as an array of segments, Express 4 as text under a number; both are decoded. */
function wildcards(params: object): readonly string[] {
  return Object.entries(params).flatMap(([name, value]: [string, unknown]) => {
    if (Array.isArray(value)) return [trimmed(value.join("/"))]
    return typeof value === "string" && /^\d+$/.test(name) ? [trimmed(value)] : []
  })
}

function decoded(segments: readonly string[]): string {
  const text = segments.join("/")
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function trimmed(path: string): string {
  return path.replace(/^\/+|\/+$/g, "")
}
