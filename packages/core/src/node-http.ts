import type { SetCookie } from "./model/cookie.js"
import { serializeCookie } from "./http/cookie.js"
import type { PlainResponse } from "./model/http.js"
import { preventCaching, type ResponseHeaders } from "./http/prevent-caching.js"

export {
  type ExpressClient,
  expressClient,
  type FastifyMessage,
  readFastify,
  type RequestClient,
} from "./http/node-frameworks.js"
export { headersOf, type NodeRequest, removeForwarded, toRequest, urlOf } from "./http/node-request.js"

/** The members of a `node:http` response that {@link addCookies} uses. */
export interface NodeResponse {
  readonly headersSent: boolean
  getHeader(name: string): number | string | readonly string[] | undefined
  setHeader(name: string, value: string | readonly string[]): unknown
  removeHeader?(name: string): unknown
  getHeaderNames?(): readonly string[]
  writeHead?(statusCode: number, ...rest: readonly unknown[]): unknown
  end?(...rest: readonly unknown[]): unknown
}

/**
 * Sets cookies on a `node:http` response, unless its headers have been sent. A cookie replaces an earlier one with the
 * same name, because a response must not set one name twice (RFC 6265bis §4.1.1). No shared cache may store the response, even
 * if the application sets `Cache-Control` later.
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
  keepOutOfCaches(response)
}

/** The members of a `node:http` response that {@link sendResponse} uses. */
export interface NodeReply extends NodeResponse {
  statusCode: number
  end(body: string | Uint8Array): unknown
}

/**
 * Sends a web response, such as that to a request without a session, with a `node:http` response. Cookies and `Vary` of the application
 * stay. It does nothing if the application has responded meanwhile, for example after a timeout.
 */
export async function sendResponse(response: Response, reply: NodeReply): Promise<void> {
  sendAnswer(await partsOf(response), reply)
}

/** {@link sendResponse} for what an auth route answers. */
export function sendAnswer({ status, headers, cookies = [], body }: PlainResponse | Parts, reply: NodeReply): void {
  if (reply.headersSent) return
  reply.statusCode = status
  for (const [name, value] of Object.entries(headers)) {
    reply.setHeader(name, name === "vary" ? varyWith(reply.getHeader(name), value) : value)
  }
  if (!isPublic(headers)) keepOutOfCaches(reply)
  addCookies(reply, cookies)
  reply.end(body ?? "")
}

/** Whether shared caches may store the answer, such as a set of keys. Otherwise what middleware has set before must not let them. */
function isPublic({ "cache-control": own = "" }: PlainResponse["headers"]): boolean {
  return /\bpublic\b/i.test(own)
}

/** A response that was read. */
interface Parts extends Omit<PlainResponse, "body"> {
  readonly body: Uint8Array | null
}

async function partsOf(response: Response): Promise<Parts> {
  const { "set-cookie": _, ...headers } = Object.fromEntries(response.headers)
  const body = response.body === null ? null : new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers, cookies: response.headers.getSetCookie(), body }
}

function varyWith(former: number | string | readonly string[] | undefined, value: string): string {
  return [former ?? [], value].flat().join(", ")
}

/** The members of a `node:http` response that {@link leave} uses. */
export interface NodeRedirect extends Pick<NodeResponse, "headersSent" | "setHeader"> {
  statusCode: number
  end(): unknown
}

/**
 * Redirects to where a sign-in or sign-out leads. A 303 makes a form POST a GET.
 *
 * @param redirects `false`: the application responds itself. @default true
 */
export function leave<D extends { readonly to: string }>(destination: D, reply: NodeRedirect, redirects = true): D {
  if (!redirects || reply.headersSent) return destination
  reply.statusCode = 303
  reply.setHeader("location", destination.to)
  reply.end()
  return destination
}

/** A reply of Fastify, which keeps headers to itself until it's sent. */
export interface FastifyReply {
  readonly raw: NodeResponse
  readonly sent: boolean
  code(status: number): unknown
  getHeader(name: string): number | string | string[] | undefined
  removeHeader(name: string): unknown
  header(name: string, value: unknown): unknown
  send(body?: unknown): unknown
}

/** {@link addCookies} for a reply of Fastify. */
export function addFastifyCookies(reply: FastifyReply, cookies: readonly (SetCookie | string)[]): void {
  if (cookies.length === 0) return
  const setHeader = (name: string, value: unknown) => {
    reply.removeHeader(name)
    reply.header(name, value)
  }
  addCookies({ headersSent: reply.sent, getHeader: (name) => reply.getHeader(name), setHeader }, cookies)
  // Hooks of the application may set `Cache-Control` later.
  keepOutOfCaches(reply.raw)
}

/** {@link sendResponse} for a reply of Fastify, whose hooks run as for any other. */
export async function sendFastifyResponse(response: Response, reply: FastifyReply): Promise<void> {
  sendFastifyAnswer(await partsOf(response), reply)
}

/** {@link sendAnswer} for a reply of Fastify. */
export function sendFastifyAnswer(
  { status, headers, cookies = [], body }: PlainResponse | Parts,
  reply: FastifyReply,
): void {
  reply.code(status)
  for (const [name, value] of Object.entries(headers)) {
    reply.header(name, name === "vary" ? varyWith(reply.getHeader(name), value) : value)
  }
  if (!isPublic(headers) && !reply.raw.headersSent) keepOutOfCaches(reply.raw)
  addFastifyCookies(reply, cookies)
  reply.send(body ?? undefined)
}

const kept = new WeakSet<NodeResponse>()

/** Prevents caching now, and again when the headers are sent, because the application may set others until then. */
export function keepOutOfCaches(response: NodeResponse): void {
  const headers = headersIn(response)
  preventCaching(headers)
  const { writeHead, end } = response
  if (writeHead === undefined || kept.has(response)) return
  kept.add(response)
  // The responses that Nitro makes for platforms without Node.js don't call `writeHead`.
  response.end = (...rest) => {
    if (!response.headersSent) preventCaching(headers)
    return end?.call(response, ...rest)
  }
  response.writeHead = (statusCode, ...rest) => {
    const given = rest.at(-1)
    const message = typeof rest[0] === "string" ? [rest[0]] : []
    for (const [name, value] of headerPairs(given)) response.setHeader(name, value)
    preventCaching(headers)
    return writeHead.call(response, statusCode, ...message)
  }
}

type HeaderValue = string | readonly string[]

/** The headers that `writeHead` gets: an object, a flat list of names and values, or a list of pairs. */
function headerPairs(given: unknown): readonly (readonly [string, HeaderValue])[] {
  if (typeof given !== "object" || given === null) return []
  if (!Array.isArray(given)) return Object.entries(given).filter(hasValue).map(toPair)
  const list: readonly unknown[] = given
  const pairs = Array.isArray(list[0]) ? list : list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1]]] : []))
  return pairs.filter((pair) => Array.isArray(pair)).map(([name, value]: unknown[]) => toPair([String(name), value]))
}

function hasValue([, value]: readonly [string, unknown]): boolean {
  return value !== undefined
}

function toPair([name, value]: readonly [string, unknown]): readonly [string, HeaderValue] {
  return [name, Array.isArray(value) ? value.map(String) : String(value)]
}

function headersIn(response: NodeResponse): ResponseHeaders {
  return {
    get: (name) => [response.getHeader(name) ?? []].flat().join(", ") || null,
    set: (name, value) => void response.setHeader(name, value),
    delete: (name) => void response.removeHeader?.(name),
    keys: () => response.getHeaderNames?.() ?? [],
  }
}

function nameOf(cookie: string): string | undefined {
  return cookie.split("=", 1)[0]
}
