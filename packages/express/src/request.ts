import { headersOf as copyOf } from "@latchkey/core/node-http"
import type { IncomingMessage } from "node:http"
import { type RoutedRequest, targetOf } from "./mount.js"

/** The part of an Express request that this package uses. Requests of Express 4 and 5 match it. */
export interface ExpressRequest extends IncomingMessage, RoutedRequest {
  readonly protocol: string
  readonly ip?: string | undefined
  readonly body?: unknown
  readonly app: { get(setting: string): unknown }
}

/** The request data that `server.session` needs. */
export interface ExpressVisitor {
  readonly headers: Headers
  readonly origin?: string
  readonly address?: string
}

/** Headers of proxies, which are used only if Express trusts the proxy. */
const forwardedHeaders = ["forwarded", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"]

/** Headers that no longer match a body that another middleware has parsed. */
const bodyHeaders = ["content-length", "content-encoding", "transfer-encoding"]

export function visitorOf(req: ExpressRequest): ExpressVisitor {
  const [origin, address] = [originOf(req), clientIp(req)]
  return {
    headers: headersOf(req),
    ...(origin === undefined ? {} : { origin }),
    ...(address === undefined ? {} : { address }),
  }
}

/** The IP address of the client. It depends on the Express setting `trust proxy`. */
export function clientIp(req: ExpressRequest): string | undefined {
  return req.ip ?? req.socket.remoteAddress
}

/** The request as a web `Request`; `undefined` if its host or method is invalid. */
export function requestOf(req: ExpressRequest): Request | undefined {
  const { headers, origin } = visitorOf(req)
  const method = req.method ?? "GET"
  if (origin === undefined || /^(connect|trace|track)$/i.test(method)) return undefined
  const url = origin + targetOf(req.originalUrl)
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers })
  if (!req.readableDidRead) return new Request(url, { method, headers, body: streamOf(req), duplex: "half" })
  for (const name of bodyHeaders) headers.delete(name)
  const body = encode(req.body, headers.get("content-type") ?? "")
  // The parsed form is encoded again, so the old boundary and content type don't apply.
  if (body instanceof URLSearchParams) headers.delete("content-type")
  return new Request(url, { method, headers, body })
}

function originOf(req: ExpressRequest): string | undefined {
  const host = req.headers.host ?? ""
  // A host with `@`, `/` or `?` would change the host or path of the URL that it becomes part of.
  const origin = /^[\w.:[\]-]+$/.test(host) ? `${req.protocol}://${host}` : ""
  return URL.canParse(origin) ? origin : undefined
}

function headersOf(req: ExpressRequest): Headers {
  const headers = copyOf(req.headers)
  if (!trustsProxy(req)) for (const name of forwardedHeaders) headers.delete(name)
  return headers
}

/** Express compiles its setting `trust proxy` into this function. Mounted apps inherit it. */
function trustsProxy(req: ExpressRequest): boolean {
  const trusts = req.app.get("trust proxy fn")
  return typeof trusts === "function" && trusts(req.socket.remoteAddress, 0) === true
}

/**
 * Streams the body, so the reader can stop at its size limit. Then the rest of the body is discarded. With `Readable.toWeb`,
 * it would stay in the connection, which then stalls.
 */
function streamOf(req: ExpressRequest): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = req.iterator({ destroyOnReturn: false })
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
      req.resume()
    },
  })
}

/** Encodes a body that another middleware has parsed. */
function encode(body: unknown, contentType: string): string | Uint8Array<ArrayBuffer> | URLSearchParams | null {
  if (body === undefined || body === null) return null
  if (typeof body === "string") return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (contentType.includes("application/json")) return JSON.stringify(body)
  return /x-www-form-urlencoded|form-data/.test(contentType) ? new URLSearchParams(fieldsOf(body)) : null
}

/** Form fields in the format that body parsers for Express read: arrays repeat the name, objects add `[key]` to it. */
function fieldsOf(body: object, prefix = ""): [string, string][] {
  return Object.entries(body).flatMap(([key, value]: [string, unknown]) => {
    const name = prefix === "" ? key : `${prefix}[${key}]`
    return [value].flat().flatMap((one): [string, string][] => {
      if (typeof one === "object" && one !== null) return fieldsOf(one, name)
      return typeof one === "string" || typeof one === "number" || typeof one === "boolean" ? [[name, String(one)]] : []
    })
  })
}
