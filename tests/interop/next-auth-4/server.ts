import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type Library, scope } from "./libraries.js"
import type { Plan } from "./plan.js"

type Anything = ReturnType<typeof JSON.parse>

export interface Site {
  readonly url: string
  close(): Promise<void>
}

const basePath = "/api/auth"

/** Serves the application over HTTP as Next.js calls it: an API Route, or a Route Handler. */
export async function serve(library: Library, plan: Plan, options: Anything): Promise<Site> {
  const handler = library.NextAuth(options)
  const server = createServer((req, res) => {
    void answer(req, res).catch((cause: unknown) => {
      res.statusCode = 500
      res.end(`thrown: ${String(cause)}`)
    })
  })
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const url = new URL(req.url ?? "/", "http://localhost")
    const given = pagesRequest(req, url, await bodyOf(req))
    const request = webRequest(req, url, given.text)
    if (url.pathname === "/server") {
      const read = async () =>
        library.getServerSession(...(plan.router === "app" ? [] : [given, pagesResponse(res)]), options)
      return json(res, await scope.run(request, read))
    }
    if (url.pathname === "/token")
      return json(res, await library.getToken({ req: given, ...tokenOptions(plan, options) }))
    if (plan.router === "pages") return handler(given, pagesResponse(res))
    const params = Promise.resolve(given.query)
    await send(await scope.run(request, async () => handler(request, { params })), res)
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: async () => close(server) }
}

function tokenOptions({ origin, cookieName }: Plan, { secret }: Anything) {
  return { secret, secureCookie: origin.startsWith("https"), ...(cookieName !== undefined && { cookieName }) }
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let text = ""
  for await (const chunk of req) text += String(chunk)
  return text
}

/** What Next.js has parsed before it calls an API Route. */
function pagesRequest(req: IncomingMessage, url: URL, text: string): Anything {
  const segments = url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length + 1).split("/") : []
  const isJson = req.headers["content-type"]?.includes("json") === true
  return {
    text,
    method: req.method,
    headers: req.headers,
    cookies: cookiesIn(req.headers.cookie ?? ""),
    query: { ...Object.fromEntries(url.searchParams), nextauth: segments },
    body: text === "" ? undefined : isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text)),
  }
}

function cookiesIn(header: string): Record<string, string> {
  const pairs = header.split("; ").filter((pair) => pair.includes("="))
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), decodeURIComponent(pair.slice(pair.indexOf("=") + 1))]),
  )
}

/** The helpers that Next.js adds to a response. */
function pagesResponse(res: ServerResponse): Anything {
  return Object.assign(res, {
    status(code: number) {
      res.statusCode = code
      return res
    },
    json: (value: unknown) => json(res, value),
    send(value: unknown) {
      if (typeof value === "object") return json(res, value)
      return res.end(value)
    },
  })
}

function json(res: ServerResponse, value: unknown): void {
  res.setHeader("content-type", "application/json; charset=utf-8")
  res.end(JSON.stringify(value ?? null))
}

function webRequest(req: IncomingMessage, url: URL, text: string): Anything {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) headers.set(name, String(value))
  const request = new Request(url, { method: req.method ?? "GET", headers, ...(text !== "" && { body: text }) })
  const cookies = cookiesIn(req.headers.cookie ?? "")
  const list = Object.entries(cookies).map(([name, value]) => ({ name, value }))
  return Object.assign(request, {
    nextUrl: url,
    cookies: { getAll: () => list, get: (name: string) => list.find((each) => each.name === name) },
  })
}

async function send(response: Response, res: ServerResponse): Promise<void> {
  res.statusCode = response.status
  for (const [name, value] of response.headers) if (name !== "set-cookie") res.setHeader(name, value)
  res.setHeader("set-cookie", response.headers.getSetCookie())
  res.end(Buffer.from(await response.arrayBuffer()))
}
