import type { FrameworkRequest, SetCookie } from "@latchkey/core/integration"
import {
  addCookies,
  addFastifyCookies,
  type FastifyReply,
  headersOf,
  removeForwarded,
  sendFastifyResponse,
  sendResponse,
  toRequest,
  urlOf,
} from "@latchkey/core/node-http"
import type { IncomingMessage, ServerResponse } from "node:http"

/** A request and its response, on any platform. */
export interface Exchange {
  /** The request of Node, which every platform has. */
  readonly raw: IncomingMessage
  read(): FrameworkRequest
  toRequest(): Request | undefined
  setCookies(cookies: readonly (SetCookie | string)[]): void
  isSent(): boolean
  send(response: Response): Promise<void>
}

/** A request of Express, or of another platform that passes on the requests of Node. */
export interface ExpressRequest extends IncomingMessage {
  readonly originalUrl?: string
  readonly protocol?: string
  readonly ip?: string | undefined
  readonly ips?: readonly string[]
  readonly body?: unknown
  readonly app?: { get(setting: string): unknown }
}

/** A request of Fastify. */
export interface FastifyRequest {
  readonly raw: IncomingMessage
  readonly method: string
  readonly originalUrl: string
  readonly protocol: string
  readonly host: string
  readonly ip: string
  readonly headers: IncomingMessage["headers"]
}

export function expressExchange(req: ExpressRequest, res: ServerResponse): Exchange {
  const read = () => {
    const headers = headersOf(req.headers)
    if (!trustsProxy(req)) removeForwarded(headers)
    const protocol = req.protocol ?? ("encrypted" in req.socket ? "https" : "http")
    const target = req.originalUrl ?? req.url ?? "/"
    const url = urlOf(protocol, req.headers.host, target)
    const address = req.ip ?? req.socket.remoteAddress
    return { method: req.method ?? "GET", url, target, headers, address, isAddressForgeable: isForgeable(req) }
  }
  return {
    raw: req,
    read,
    toRequest: () => toRequest(req, read().url, read().headers),
    setCookies: (cookies) => addCookies(res, cookies),
    isSent: () => res.headersSent,
    send: (response) => sendResponse(response, res),
  }
}

function trustsProxy(req: ExpressRequest): boolean {
  return trusts(req, req.socket.remoteAddress, 0)
}

/** Express looks for the first address that it doesn't trust. With `trust proxy: true` there is none, so the client decides. */
function isForgeable(req: ExpressRequest): boolean {
  return req.ip !== undefined && req.ip !== req.socket.remoteAddress && trusts(req, req.ip, req.ips?.length ?? 0)
}

/** Express compiles its setting `trust proxy` into this function. */
function trusts({ app }: ExpressRequest, address: string | undefined, hops: number): boolean {
  const trust = app?.get("trust proxy fn")
  return typeof trust === "function" && trust(address, hops) === true
}

export function fastifyExchange(request: FastifyRequest, reply: FastifyReply): Exchange {
  const read = () => {
    const headers = headersOf(request.headers)
    // If Fastify trusts the proxy, its `protocol` and `host` contain what these say.
    removeForwarded(headers)
    const { method, originalUrl: target, ip: address } = request
    const url = urlOf(request.protocol, request.host, target)
    return { method, url, target, headers, address, isAddressForgeable: address !== request.raw.socket.remoteAddress }
  }
  return {
    raw: request.raw,
    read,
    toRequest: () => toRequest(request.raw, read().url, read().headers),
    setCookies: (cookies) => addFastifyCookies(reply, cookies),
    isSent: () => reply.sent || reply.raw.headersSent,
    send: (response) => sendFastifyResponse(response, reply),
  }
}
