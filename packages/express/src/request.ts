import { headersOf as copyOf } from "@latchkey/core/node-http"
import type { IncomingMessage } from "node:http"
import { type Routed, targetOf } from "./mount.js"

/** The part of an Express request that is read here; the requests of Express 4 and 5 both fit. */
export interface ExpressRequest extends IncomingMessage, Routed {
  readonly protocol: string
  readonly ip?: string | undefined
  readonly body?: unknown
  readonly app: { get(setting: string): unknown }
}

/** Who asks, as the engine wants to know it. */
export interface ExpressVisitor {
  readonly headers: Headers
  readonly origin?: string
  readonly address?: string
}

/** Where a proxy says what the browser asked for: believed only from a proxy that Express trusts. */
const forwarded = ["forwarded", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"]

/** Describe the message, which a body that was parsed before is no longer. */
const framing = ["content-length", "content-encoding", "transfer-encoding"]

export function visitorOf(req: ExpressRequest): ExpressVisitor {
  const [origin, address] = [originOf(req), addressOf(req)]
  return {
    headers: headersOf(req),
    ...(origin === undefined ? {} : { origin }),
    ...(address === undefined ? {} : { address }),
  }
}

/** The client as the setting `trust proxy` finds it; without that setting, the other end of the socket. */
export function addressOf(req: ExpressRequest): string | undefined {
  return req.ip ?? req.socket.remoteAddress
}

/** The request in web terms; `undefined` when its host or method is none. */
export function requestOf(req: ExpressRequest): Request | undefined {
  const { headers, origin } = visitorOf(req)
  const method = req.method ?? "GET"
  if (origin === undefined || /^(connect|trace|track)$/i.test(method)) return undefined
  const url = origin + targetOf(req.originalUrl)
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers })
  if (!req.readableDidRead) return new Request(url, { method, headers, body: streamOf(req), duplex: "half" })
  for (const name of framing) headers.delete(name)
  const body = encode(req.body, headers.get("content-type") ?? "")
  // A form whose parts were read before has no boundaries any more.
  if (body instanceof URLSearchParams) headers.delete("content-type")
  return new Request(url, { method, headers, body })
}

function originOf(req: ExpressRequest): string | undefined {
  const host = req.headers.host ?? ""
  // A host with `@`, `/` or `?` in it would move the boundaries of the URL that it becomes part of.
  const origin = /^[\w.:[\]-]+$/.test(host) ? `${req.protocol}://${host}` : ""
  return URL.canParse(origin) ? origin : undefined
}

function headersOf(req: ExpressRequest): Headers {
  const headers = copyOf(req.headers)
  if (!trustsProxy(req)) for (const name of forwarded) headers.delete(name)
  return headers
}

/** Express decides with the compiled form of its setting `trust proxy`; sub-applications inherit it. */
function trustsProxy(req: ExpressRequest): boolean {
  const trusts = req.app.get("trust proxy fn")
  return typeof trusts === "function" && trusts(req.socket.remoteAddress, 0) === true
}

/**
 * The body as it arrives: how much of it is too much is for the reader to say. After giving up the rest is let through
 * unread; `Readable.toWeb` would leave it in the connection, which then stalls.
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

/** What an earlier middleware made of the body, turned back into one. */
function encode(body: unknown, contentType: string): string | Uint8Array<ArrayBuffer> | URLSearchParams | null {
  if (body === undefined || body === null) return null
  if (typeof body === "string") return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (contentType.includes("application/json")) return JSON.stringify(body)
  return /x-www-form-urlencoded|form-data/.test(contentType) ? new URLSearchParams(fieldsOf(body)) : null
}

/** Fields of a form: arrays repeat their name, objects add `[key]` to it, as the parsers of Express read them. */
function fieldsOf(body: object, prefix = ""): [string, string][] {
  return Object.entries(body).flatMap(([key, value]: [string, unknown]) => {
    const name = prefix === "" ? key : `${prefix}[${key}]`
    return [value].flat().flatMap((one): [string, string][] => {
      if (typeof one === "object" && one !== null) return fieldsOf(one, name)
      return typeof one === "string" || typeof one === "number" || typeof one === "boolean" ? [[name, String(one)]] : []
    })
  })
}
