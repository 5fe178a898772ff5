import { maxPath } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, Csrf, Params, RoutePath, Visitor } from "../model/http.js"
import { keepParameters, mayQuote, secretsInFlight } from "../observability/in-flight.js"
import type { ClientSignal } from "../primitives/runtime.js"
import { csrfOf } from "./csrf.js"
import { toSessionRequest } from "./session-request.js"

const noParams: Params = Object.freeze(Object.create(null) as Record<string, string>)

interface Parts {
  readonly method: AuthRequest["method"]
  readonly url: URL
  readonly route: RoutePath
  readonly body: AuthRequest["body"]
  /** @default the checks of `http/csrf.ts` */
  readonly csrf?: Csrf
  readonly authorizationParams?: Params | undefined
  readonly signal?: ClientSignal | undefined
  readonly wantsFlow?: boolean
}

/** @throws UntrustedHost */
export function toAuthRequest(
  auth: AuthContext,
  visitor: Visitor,
  { method, url, route, body, csrf, authorizationParams, signal, wantsFlow }: Parts,
): AuthRequest {
  const session = toSessionRequest(auth, visitor)
  const query = url.search === "" ? noParams : params(url.searchParams)
  keepParameters(visitor, query, body)
  const path = url.pathname + url.search
  auth.audit?.sees({ request: { method, path, providerId: route.providerId } })
  return {
    ...session,
    method,
    base: session.origin + auth.basePath,
    peer: visitor.address,
    isPeerForgeable: visitor.isAddressForgeable,
    signal,
    action: route.action,
    providerId: route.providerId,
    query,
    authorizationParams,
    body,
    csrf: csrf ?? csrfOf(auth, session, body),
    wantsFlow,
    path,
  }
}

/** One or two segments below the base path. `undefined`: not one of our routes. */
export function parseRoute(basePath: string, pathname: string): RoutePath | undefined {
  const [action, providerId, ...more] = segmentsOf(basePath, pathname) ?? []
  if (action === undefined || more.length > 0) return undefined
  return { action, providerId: providerId === "undefined" ? undefined : providerId }
}

/** What follows the base path; a trailing slash is ignored. `undefined`: nothing, or more than any route has. */
export function segmentsOf(basePath: string, pathname: string): readonly string[] | undefined {
  if (!pathname.startsWith(`${basePath}/`) || pathname.length - basePath.length > maxPath) return undefined
  const rest = pathname.slice(basePath.length + 1)
  const segments = (rest.endsWith("/") ? rest.slice(0, -1) : rest).split("/")
  return segments.includes("") ? undefined : segments
}

/** The last of repeated names wins, as in Auth.js. */
export function params(search: URLSearchParams): Params {
  const read: Record<string, string> = Object.create(null)
  for (const [name, value] of search) if (name !== "__proto__") read[name] = value
  return read
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

/** The callback URL that the request itself names. It hasn't been checked yet: pass it to `resolveCallbackUrl`. */
export function requestedCallbackUrl({ body, query }: Pick<AuthRequest, "body" | "query">): string | undefined {
  return textOf(body["callbackUrl"]) ?? textOf(query["callbackUrl"])
}

/** The request as callbacks get it: the same URL and headers, and the parsed body as JSON. */
export function toRequest({ method, origin, path, headers, body }: AuthRequest): Request {
  const bodyless = method === "GET" || method === "HEAD"
  return new Request(origin + path, { method, headers, ...(bodyless ? {} : { body: JSON.stringify(body) }) })
}

/**
 * Adds the request to the parameters of a callback or an event. It's created on first access, and it isn't enumerable, so
 * code that loops over the parameters sees the keys of v5.
 */
export function withRequest<T extends object>(params: T, incoming: AuthRequest): T & { readonly request: Request } {
  let request: Request | undefined
  const get = (): Request => (request ??= toRequest(incoming))
  mayQuote(params, () => secretsInFlight(incoming))
  return Object.defineProperty(params, "request", { get }) as T & { readonly request: Request }
}
