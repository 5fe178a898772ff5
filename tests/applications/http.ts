import { request as httpRequest, type IncomingMessage } from "node:http"
import { buffer } from "node:stream/consumers"
import { type Browser, openBrowser } from "@latchkey/testing"

/** A browser without JavaScript that has its own cookies. */
export function browse(origin: string, basePath = "/api/auth"): Browser {
  return openBrowser({ origin, basePath, handle: async (request) => forward(request) })
}

/** Where a request goes instead of the origin in its URL, as through a reverse proxy. */
export interface Destination {
  readonly origin: string
  /** Replace those of the request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends headers and path unchanged. `fetch` adds headers and normalizes URLs. */
export async function forward(request: Request, to?: Destination): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer())
  const { origin } = new URL(request.url)
  const { status, headers, content } = await send(to?.origin ?? origin, request.url.slice(origin.length), {
    method: request.method,
    headers: { ...Object.fromEntries(request.headers), ...to?.headers },
    body,
  })
  return new Response([204, 205, 304].includes(status) ? null : content, { status, headers })
}

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly content: Buffer<ArrayBuffer>
  readonly text: string
}

/** Sends one request with exactly this path. */
export async function send(
  origin: string,
  path: string,
  { method = "GET", headers = {}, body = "" }: RequestOptions = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(origin)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, method, headers, agent: false }, resolve)
    request.once("error", reject)
    request.end(body)
  })
  const content = Buffer.from(await buffer(response))
  const responseHeaders = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    for (const value of values) responseHeaders.append(name, value)
  }
  return { status: response.statusCode ?? 0, headers: responseHeaders, content, text: content.toString() }
}
