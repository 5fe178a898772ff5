import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { onTestFinished } from "vitest"

export interface Web {
  readonly origin: string
  /** Method and path of every request, oldest first. */
  readonly seen: string[]
}

export type Answer = (request: Request) => Promise<Response> | Response

/** Serves on a free port of 127.0.0.1, or of the given IP address, until the test ends. Browsers resolve every name below `localhost` to 127.0.0.1. */
export async function serve(answer: Answer, name = "127.0.0.1"): Promise<Web> {
  const seen: string[] = []
  const server = createServer((req, res) => {
    seen.push(`${req.method} ${req.url}`)
    requestOf(req)
      .then(async (request) => answer(request))
      .then((response) => write(response, res))
      .catch((error) => res.writeHead(500).end(String(error)))
  }).listen(0, name.startsWith("127.") ? name : "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://${name}:${(server.address() as AddressInfo).port}`, seen }
}

async function requestOf(req: IncomingMessage): Promise<Request> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  const body = await buffer(req)
  return new Request(`http://${req.headers.host}${req.url}`, {
    method: req.method ?? "GET",
    headers,
    ...(body.length === 0 ? {} : { body }),
  })
}

async function write(response: Response, res: ServerResponse): Promise<void> {
  res.statusCode = response.status
  for (const [name, value] of response.headers) res.appendHeader(name, value)
  res.end(Buffer.from(await response.arrayBuffer()))
}

/** The same server under another name. To a browser another name is another site, and another port another origin. */
export function otherName(origin: string): string {
  return origin.replace("127.0.0.1", "localhost")
}

/** An origin with one page, whose content is in the URL. */
export async function anyPage(): Promise<Web> {
  return serve(({ url }) => document(new URL(url).searchParams.get("markup") ?? ""))
}

export function pageWith(origin: string, markup: string): string {
  return `${origin}/page?markup=${encodeURIComponent(markup)}`
}

export function document(body: string, headers: Readonly<Record<string, string>> = {}): Response {
  const text = `<!DOCTYPE html><html lang="en"><title>Page</title><body>${body}</body></html>`
  return new Response(text, { headers: { "content-type": "text/html; charset=utf-8", ...headers } })
}
