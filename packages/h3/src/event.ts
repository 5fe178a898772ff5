import {
  appendCookies,
  type Env,
  type FrameworkRequest,
  isForwardedAddress,
  type PlainRequest,
  processEnv,
  type SetCookie,
} from "@latchkey/core/integration"
import * as node from "@latchkey/core/node-http"
import { preventCaching, serializeCookie } from "@latchkey/core/server"
import type { IncomingMessage } from "node:http"
import { storedBody } from "./body.js"
import type { H3Event, NodeEvent, WebEvent } from "./model.js"

/** h3 2 has web requests, h3 1 has those of Node.js. */
function isWebEvent(event: H3Event): event is WebEvent {
  return "req" in event && typeof (event as WebEvent).req.headers.get === "function"
}

/** The only other kind of event. */
function nodeEvent(event: H3Event): NodeEvent {
  return event as NodeEvent
}

/** Cloudflare has no `process.env`, but passes its variables with each request. */
export function envOf(event: H3Event | undefined): Env {
  const variables = processEnv()
  if (event === undefined) return variables
  const bindings = (isWebEvent(event) ? event.req.runtime : nodeEvent(event).context)?.cloudflare?.env
  if (bindings === undefined) return variables
  const read = (name: string) => (typeof bindings[name] === "string" ? bindings[name] : variables[name])
  return new Proxy<Env>({}, { get: (_, name) => read(String(name)) })
}

export function readRequest(event: H3Event): FrameworkRequest {
  if (isWebEvent(event)) {
    const { method, url, headers, ip } = event.req
    const isAddressForgeable = isForwardedAddress(event.req, ip)
    return { method, url: validUrl(url), headers, address: ip, isAddressForgeable }
  }
  const { method, path, context, node: native } = nodeEvent(event)
  const socketAddress = native.req.socket?.remoteAddress
  const address = (context.clientAddress ?? socketAddress) || undefined
  // A router below a base path removes it from `path`.
  const target = (native.req.originalUrl ?? path).replace(/^[/\\]*/, "/")
  const url = new URL((originOf(native.req) ?? "http://localhost") + target)
  const isAddressForgeable = address !== (socketAddress || address)
  return { method, url, headers: node.headersOf(native.req.headers), address, isAddressForgeable }
}

/** h3 2 takes the host of the URL from the request as it is. One such as `a:99999` isn't valid, but the path still has a handler. */
function validUrl(url: string): URL {
  return new URL(URL.canParse(url) ? url : url.replace(/^\w+:\/\/[^/?#]*[/\\]*/, "http://localhost/"))
}

/** `X-Forwarded-Proto` has no say here. The engine reads it if the configuration trusts the proxy. */
function originOf(req: IncomingMessage): string | undefined {
  const host = req.headers.host ?? ""
  const scheme = "encrypted" in req.socket && req.socket.encrypted === true ? "https" : "http"
  // A host with `@`, `/` or `?` would change the host or path of the URL that it becomes part of.
  const origin = /^[\w.:[\]-]+$/.test(host) ? `${scheme}://${host}` : ""
  return URL.canParse(origin) ? origin : undefined
}

/** `undefined` if the host or method is invalid. */
export function toRequest(event: H3Event): PlainRequest | undefined {
  if (isWebEvent(event)) return URL.canParse(event.req.url) ? event.req : undefined
  const { req } = nodeEvent(event).node
  if (originOf(req) === undefined) return undefined
  const { method, url, headers } = readRequest(event)
  const body = method === "GET" || method === "HEAD" ? undefined : storedBody(nodeEvent(event))
  if (body === undefined) return node.toRequest(req, url, headers)
  return { method, url: url.href, headers, body }
}

const roots = new WeakMap<object, H3Event>()

/**
 * The event of the browser's request. While it renders a page, Nuxt sends requests to its own server, which share the session
 * and the cookies to set.
 */
export function rootOf(event: H3Event): H3Event {
  // Nitro 2 passes the context of the page on in `__unenv__`.
  const parent = isWebEvent(event) ? undefined : nodeEvent(event).node.req["__unenv__"]
  const root =
    roots.get(event.context) ?? (typeof parent === "object" && parent !== null ? roots.get(parent) : undefined)
  // A handler whose response is cached gets the context as well, but no cookies. It must not see the session.
  if (root !== undefined && cookiesOf(root) !== cookiesOf(event)) return event
  roots.set(event.context, root ?? event)
  return root ?? event
}

function cookiesOf(event: H3Event): string {
  return (isWebEvent(event) ? event.req.headers.get("cookie") : nodeEvent(event).node.req.headers.cookie) ?? ""
}

export function isSent(event: H3Event): boolean {
  const root = rootOf(event)
  return !isWebEvent(root) && nodeEvent(root).node.res.headersSent
}

/** Events whose responses have cookies of ours. */
const protectedEvents = new WeakSet<H3Event>()

export function addCookies(event: H3Event, cookies: readonly (SetCookie | string)[]): void {
  if (cookies.length === 0) return
  const root = rootOf(event)
  protectedEvents.add(root)
  if (!isWebEvent(root)) return node.addCookies(nodeEvent(root).node.res, cookies)
  const lines = cookies.map((cookie) => (typeof cookie === "string" ? cookie : serializeCookie(cookie)))
  for (const headers of headersOf(root)) appendCookies(headers, lines)
}

/** h3 2 has other headers for errors. */
function headersOf({ res }: WebEvent): readonly Headers[] {
  return res.errHeaders === undefined ? [res.headers] : [res.headers, res.errHeaders]
}

/** Keeps a response with cookies of ours out of shared caches, whatever the application has set meanwhile. */
export function protectFromCaches(event: H3Event): void {
  if (!isWebEvent(event) || !protectedEvents.has(event)) return
  for (const headers of headersOf(event)) preventCaching(headers)
}

/** h3 1 takes the headers of an error from the event. h3 2 takes them from the error. */
export function setHeaders(event: H3Event, given: Headers): void {
  if (isWebEvent(event)) return
  const { res } = nodeEvent(event).node
  for (const [name, value] of given) res.setHeader(name, value)
}
