import { createServer, type IncomingMessage } from "node:http"
import { buffer } from "node:stream/consumers"

/** What API Gateway and function URLs send: https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-payloads */
interface Event {
  readonly version: "2.0"
  readonly routeKey: "$default"
  readonly rawPath: string
  readonly rawQueryString: string
  readonly cookies?: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly requestContext: {
    readonly accountId: string
    readonly apiId: string
    readonly domainName: string
    readonly domainPrefix: string
    readonly http: {
      readonly method: string
      readonly path: string
      readonly protocol: string
      readonly sourceIp: string
      readonly userAgent: string
    }
    readonly requestId: string
    readonly routeKey: "$default"
    readonly stage: "$default"
    readonly time: string
    readonly timeEpoch: number
  }
  readonly body?: string
  readonly isBase64Encoded: boolean
}

interface Result {
  readonly statusCode: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  readonly body: string
  readonly isBase64Encoded: boolean
}

const { PORT = "3000", HOST = "localhost" } = process.env
const domainName = `${HOST}:${PORT}`

/** Listens for HTTP requests, and calls the handler with an event for each. */
export function serveEvents(handler: (event: Event) => Promise<Result>): void {
  const server = createServer((req, res) => {
    buffer(req)
      .then(async (body) => {
        const { statusCode, headers = {}, cookies = [], ...result } = await handler(eventOf(req, body))
        for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
        if (cookies.length > 0) res.setHeader("set-cookie", cookies)
        res.writeHead(statusCode).end(Buffer.from(result.body, result.isBase64Encoded ? "base64" : "utf8"))
      })
      .catch(() => res.destroy())
  })
  server.listen(Number(PORT), HOST)
}

function eventOf(req: IncomingMessage, body: Buffer): Event {
  const { cookie, ...others } = req.headersDistinct
  const [rawPath = "/", ...query] = (req.url ?? "/").split("?")
  const headers = Object.fromEntries(Object.entries(others).map(([name, values = []]) => [name, values.join(",")]))
  const isText = /^(?:text\/|application\/(?:json|javascript|xml))/.test(headers["content-type"] ?? "")
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath,
    rawQueryString: query.join("?"),
    ...(cookie !== undefined && { cookies: cookie.flatMap((line) => line.split("; ")) }),
    headers: { "x-forwarded-proto": "http", "x-forwarded-port": PORT, ...headers },
    requestContext: contextOf(req, rawPath),
    ...(body.length > 0 && { body: body.toString(isText ? "utf8" : "base64") }),
    isBase64Encoded: body.length > 0 && !isText,
  }
}

function contextOf(req: IncomingMessage, path: string): Event["requestContext"] {
  const { method = "GET", httpVersion, headers, socket } = req
  return {
    accountId: "anonymous",
    apiId: "suite",
    domainName,
    domainPrefix: HOST,
    http: {
      method,
      path,
      protocol: `HTTP/${httpVersion}`,
      sourceIp: socket.remoteAddress ?? "",
      userAgent: headers["user-agent"] ?? "",
    },
    requestId: crypto.randomUUID(),
    routeKey: "$default",
    stage: "$default",
    time: new Date().toUTCString(),
    timeEpoch: Date.now(),
  }
}
