import type { FrameworkRequest, PlainRequest, PlainResponse, SetCookie } from "@latchkey/core/integration"
import {
  addCookies,
  addFastifyCookies,
  type ExpressClient,
  expressClient,
  type FastifyMessage,
  type FastifyReply,
  readFastify,
  sendAnswer,
  sendFastifyAnswer,
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
  toRequest(): PlainRequest | undefined
  setCookies(cookies: readonly (SetCookie | string)[]): void
  isSent(): boolean
  send(response: Response): Promise<void>
  answer(answer: PlainResponse): void
}

/** A request of Express, or of another platform that passes on the requests of Node. */
export interface ExpressRequest extends IncomingMessage, Pick<ExpressClient, "ip" | "ips" | "app"> {
  readonly originalUrl?: string
  readonly protocol?: string
  readonly body?: unknown
}

/** A request of Fastify. */
export interface FastifyRequest extends FastifyMessage {
  readonly raw: IncomingMessage
}

export function expressExchange(req: ExpressRequest, res: ServerResponse): Exchange {
  const read = () => {
    const protocol = req.protocol ?? ("encrypted" in req.socket ? "https" : "http")
    const target = req.originalUrl ?? req.url ?? "/"
    const url = urlOf(protocol, req.headers.host, target)
    return { method: req.method ?? "GET", url, target, ...expressClient(req) }
  }
  return {
    raw: req,
    read,
    toRequest: () => toRequest(req, read().url, read().headers),
    setCookies: (cookies) => addCookies(res, cookies),
    isSent: () => res.headersSent,
    send: (response) => sendResponse(response, res),
    answer: (answer) => sendAnswer(answer, res),
  }
}

export function fastifyExchange(request: FastifyRequest, reply: FastifyReply): Exchange {
  const read = () => readFastify(request)
  return {
    raw: request.raw,
    read,
    toRequest: () => toRequest(request.raw, read().url, read().headers),
    setCookies: (cookies) => addFastifyCookies(reply, cookies),
    isSent: () => reply.sent || reply.raw.headersSent,
    send: (response) => sendFastifyResponse(response, reply),
    answer: (answer) => sendFastifyAnswer(answer, reply),
  }
}
