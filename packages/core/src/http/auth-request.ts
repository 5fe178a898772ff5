import { maxPath } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, Csrf, Params, RoutePath, Visitor } from "../model/http.js"
import { keepParameters, mayQuote, secretsInFlight } from "../observability/in-flight.js"
import { once } from "../primitives/awaitable.js"
import { csrfOf } from "./csrf.js"
import { toSessionRequest } from "./origin.js"

/** A query or a body without anything. */
export const nothing: Params = Object.freeze(Object.create(null) as Record<string, string>)

interface Parts {
  readonly method: AuthRequest["method"]
  readonly url: URL
  readonly route: RoutePath
  readonly body: AuthRequest["body"]
  /** @default the checks of `http/csrf.ts` */
  readonly csrf?: Csrf
  readonly authorizationParams?: Params | undefined
  /** @default none */
  readonly clientSignal?: AuthRequest["clientSignal"]
  readonly wantsFlow?: boolean
}

/** @throws UntrustedHost */
export function toAuthRequest(
  auth: AuthContext,
  visitor: Visitor,
  { method, url, route, body, csrf, authorizationParams, clientSignal = () => undefined, wantsFlow }: Parts,
): AuthRequest {
  const session = toSessionRequest(auth, visitor)
  const query = url.search === "" ? nothing : params(url.searchParams)
  for (const given of [query, body]) if (given !== nothing) keepParameters(visitor, given)
  const path = url.pathname + url.search
  auth.audit?.sees({ request: { method, path, providerId: route.providerId } })
  const { headers, origin, scheme, cookies, omitsCookies = false } = session
  // Each member by its name: a spread before others makes an object whose members are added one by one.
  return {
    headers,
    origin,
    scheme,
    cookies,
    omitsCookies,
    method,
    base: origin + auth.basePath,
    peer: visitor.address,
    isPeerForgeable: visitor.isAddressForgeable,
    clientSignal,
    action: route.action,
    providerId: route.providerId,
    query,
    authorizationParams,
    body,
    csrf: csrf ?? onDemand(() => csrfOf(auth, session, body)),
    wantsFlow,
    path,
  }
}

/** Few requests ask it. */
function onDemand(make: () => Csrf): Csrf {
  const made = once(make)
  return { verified: () => made().verified(), token: () => made().token() }
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

/** A form has only text. Auth.js makes the same text of numbers, booleans and lists. An object has no text. */
export function formValue(value: unknown): unknown {
  const isPlain = (item: unknown) => typeof item !== "object" && typeof item !== "function"
  return isPlain(value) || (Array.isArray(value) && value.every(isPlain)) ? String(value) : value
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

// What a client can do with a response.

/**
 * Whether the response is a step of a flow as JSON. `fetch` accepts anything unless the application sets `Accept`, and so
 * does axios, so they get the same response as from Auth.js. The clients of Auth.js send `X-Auth-Return-Redirect`.
 */
export function wantsFlow(headers: Headers): boolean {
  const isJson = accepts(headers, "application/json") && !accepts(headers, "text/html") && !accepts(headers, "*/*")
  return isJson && !headers.has("x-auth-return-redirect")
}

/** Whether a script reads the response, so a redirect or a page would be lost on it. */
export function wantsJson(headers: Headers): boolean {
  return isScript(headers) || (accepts(headers, "json") && !accepts(headers, "text/html"))
}

export function acceptsPage(headers: Headers): boolean {
  return !isScript(headers) && accepts(headers, "text/html")
}

/** Whether a browser shows the response as a page. That's also true for a form without JavaScript. */
export function isNavigation(headers: Headers): boolean {
  const mode = headers.get("sec-fetch-mode")
  // Browsers leave out the mode over plain http.
  return mode === null ? acceptsPage(headers) : mode === "navigate" && !isScript(headers)
}

function isScript(headers: Headers): boolean {
  return headers.has("x-auth-return-redirect") || headers.get("content-type")?.includes("json") === true
}

function accepts(headers: Headers, type: string): boolean {
  return headers.get("accept")?.toLowerCase().includes(type) === true
}

/** Names that a form or JSON has more than once, by its parsed fields. Only the last value is among them. */
const repeatedFields = new WeakMap<AuthRequest["body"], ReadonlySet<string>>()

/** Remembers the names that a body repeats, for {@link repeatedIn}. */
export function rememberRepeated(body: AuthRequest["body"], all: Iterable<string>): AuthRequest["body"] {
  const names = repeatedNames(all)
  if (names.size > 0) repeatedFields.set(body, names)
  return body
}

/** Names with more than one value in the query, in the form, or split between them. The parsed values hide all but one. */
export function repeatedIn({ path, body }: Pick<AuthRequest, "path" | "body">): ReadonlySet<string> {
  if (!path.includes("?")) return repeatedFields.get(body) ?? new Set()
  const query = new URL(path, "http://localhost").searchParams
  const inBoth = Object.keys(body).filter((name) => query.has(name))
  return new Set([...repeatedNames(query.keys()), ...inBoth, ...(repeatedFields.get(body) ?? [])])
}

function repeatedNames(names: Iterable<string>): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set([...names].filter((name) => seen.size === seen.add(name).size))
}
