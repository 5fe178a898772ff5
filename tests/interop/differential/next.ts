import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import type { Opener } from "./engines.js"
import { withVariables } from "./environment.js"

type Handler = (request: Request) => Promise<Response>

interface NextResult {
  readonly handlers: Readonly<Record<"GET" | "POST", Handler>>
  auth(...args: readonly unknown[]): unknown
}

interface NextExports {
  NextAuth(config: unknown): NextResult
  readonly NextRequest: new (request: Request) => Request
}

/** An application with `export const { handlers, auth } = NextAuth(config)`. */
export function nextOpener({ NextAuth, NextRequest }: NextExports): Opener {
  return async ({ plan, config }) => {
    const inEnvironment = <T>(work: () => Promise<T> | T) => withVariables(plan.env, work)
    const { handlers, auth } = await inEnvironment(() => NextAuth(plan.config === "one object" ? config() : config))
    return {
      handle: (request) => {
        // Next.js answers other methods itself, because the route exports only these two.
        const handler = request.method === "POST" ? handlers.POST : handlers.GET
        return inEnvironment(() => handler(new NextRequest(asReceived(request))))
      },
      auth: (request, as) => inEnvironment(() => readers[as](auth, new NextRequest(asReceived(request)))),
    }
  }
}

/** Next.js adds these headers to each request. */
function asReceived(request: Request): Request {
  const { host, protocol } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.set("host", host)
  headers.set("x-forwarded-host", host)
  headers.set("x-forwarded-proto", protocol.slice(0, -1))
  return new Request(request, { headers })
}

type Reader = (auth: NextResult["auth"], request: Request) => Promise<Response>

const readers: Readonly<Record<"reader" | "proxy" | "handler", Reader>> = {
  reader: async (auth, request) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    const session = await auth({ headers: Object.fromEntries(request.headers), socket: {} }, response)
    const cookies = [response.getHeader("set-cookie") ?? []].flat()
    return Response.json(session ?? null, { headers: cookies.map((cookie) => ["set-cookie", String(cookie)]) })
  },
  proxy: async (auth, request) => (await auth(request, {})) as Response,
  handler: async (auth, request) => {
    const wrapped = await auth((visitor: { readonly auth?: unknown }) => Response.json(visitor.auth ?? null))
    return await (wrapped as Handler)(request)
  },
}
