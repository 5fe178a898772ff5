import { type IncomingMessage, createServer, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import express from "express"
import type { Application } from "./application.js"
import type { Engine, Opener } from "./engines.js"
import { withVariables } from "./environment.js"

type Config = Readonly<Record<string, unknown>>

interface ExpressExports {
  ExpressAuth(config: Config): express.RequestHandler
  getSession(request: express.Request, config: Config): Promise<unknown>
}

/** An application with `app.use("/auth", ExpressAuth(config))`, served over HTTP. */
export function expressOpener(library: ExpressExports): Opener {
  return async (application) => {
    const server = createServer(applicationOf(library, application))
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const handle = (request: Request) => withVariables(application.plan.env, () => exchange(port, request))
    return {
      handle,
      auth: (request) => handle(new Request(new URL("/page", request.url), { headers: request.headers })),
      close: () => closed(server),
    } satisfies Engine
  }
}

function applicationOf({ ExpressAuth, getSession }: ExpressExports, { plan, config }: Application): express.Express {
  const app = express()
  app.set("trust proxy", true)
  app.set("env", "test")
  const one = config()
  app.use(plan.basePath ?? "/auth", ExpressAuth(one))
  app.get("/page", async (request, response) => {
    response.json((await getSession(request, { ...one, basePath: plan.basePath ?? "/auth" })) ?? null)
  })
  return app
}

/** Sends the request as a reverse proxy does that terminates TLS. */
export async function exchange(port: number, request: Request): Promise<Response> {
  const { pathname, search, host, protocol } = new URL(request.url)
  const headers = { ...Object.fromEntries(request.headers), host, "x-forwarded-proto": protocol.slice(0, -1) }
  const body = Buffer.from(await request.arrayBuffer())
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = body.length === 0 ? {} : { "content-length": body.length }
    const options = { port, host: "127.0.0.1", path: pathname + search, method: request.method, agent: false as const }
    send({ ...options, headers: { ...headers, ...length } }, resolve)
      .on("error", reject)
      .end(body)
  })
  return await responseOf(answer)
}

async function responseOf(answer: IncomingMessage): Promise<Response> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  const status = answer.statusCode ?? 0
  const headers = new Headers()
  for (let index = 0; index < answer.rawHeaders.length; index += 2) {
    headers.append(answer.rawHeaders[index] ?? "", answer.rawHeaders[index + 1] ?? "")
  }
  const isEmpty = [204, 304].includes(status)
  return new Response(isEmpty ? null : Buffer.concat(parts), { status, headers })
}

function closed(server: ReturnType<typeof createServer>): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => void server.close(() => resolve()))
}
