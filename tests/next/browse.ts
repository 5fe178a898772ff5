import { request as send, type IncomingMessage } from "node:http"
import { buffer } from "node:stream/consumers"
import { type Browser, openBrowser } from "@latchkey/testing"

/** A browser without scripts at an application; its cookies are its own. */
export function browse(origin: string, basePath = "/api/auth"): Browser {
  return openBrowser({ origin, basePath, handle: async (request) => exchange(request) })
}

/** Every header and path as given: `fetch` writes some headers itself, and tidies addresses. */
async function exchange(request: Request): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer())
  const { origin } = new URL(request.url)
  const { status, headers, content } = await ask(origin, request.url.slice(origin.length), {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    body,
  })
  return new Response([204, 205, 304].includes(status) ? null : content, { status, headers })
}

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

export interface Told {
  readonly status: number
  readonly headers: Headers
  readonly content: Buffer<ArrayBuffer>
  readonly text: string
}

/** One request with this path, byte for byte. */
export async function ask(
  origin: string,
  path: string,
  { method = "GET", headers = {}, body = "" }: Asked = {},
): Promise<Told> {
  const { hostname, port } = new URL(origin)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send({ hostname, port, path, method, headers, agent: false }, resolve)
    request.once("error", reject)
    request.end(body)
  })
  const content = Buffer.from(await buffer(response))
  const told = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    for (const value of values) told.append(name, value)
  }
  return { status: response.statusCode ?? 0, headers: told, content, text: content.toString() }
}
