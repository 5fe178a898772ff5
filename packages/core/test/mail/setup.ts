import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { EmailConfig } from "@latchkey/core/types"
import { type Browser, captureLog, type CapturedLog, visit } from "@latchkey/testing"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import { afterAll, afterEach } from "vitest"
import { trackSecret, trackLink } from "../../../testing/src/secrets.js"

/** A request that the service received. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | (() => AsyncIterable<string>)
}

export interface Service {
  readonly origin: string
  readonly received: Received[]
  answer: Answer
  close(): Promise<void>
}

/** A local email service. */
export async function openService(): Promise<Service> {
  const received: Received[] = []
  const server = createServer((request, response) => void take(request, response))
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    received.push(await read(request))
    await reply(response, service.answer)
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const service: Service = {
    origin: `http://127.0.0.1:${port}`,
    received,
    answer: {},
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return service
}

async function read(request: IncomingMessage): Promise<Received> {
  const parts: Uint8Array[] = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts).toString()
  trackLink(/https?:\/\/[^\s"'\\]+/.exec(body)?.[0])
  const { method = "", url: path = "", headers } = request
  return { method, path, headers, body }
}

async function reply(response: ServerResponse, { status = 200, headers = {}, body = "" }: Answer): Promise<void> {
  response.writeHead(status, headers)
  for await (const part of typeof body === "string" ? [body] : body()) {
    if (!response.write(part) && response.destroyed) break
  }
  response.end()
}

/** Sends every request to the service, whatever its host. `asked` lists the original URLs. */
export function towards(service: Service): { readonly fetch: typeof fetch; readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      asked.push(url.href)
      return fetch(service.origin + url.pathname + url.search, init)
    },
  }
}

export interface Desk {
  readonly browser: Browser
  readonly store: ReturnType<typeof memoryAdapter>
  readonly log: CapturedLog
}

/** A site with this provider only. */
export async function desk(
  provider: EmailConfig,
  rest: Parameters<typeof visit>[0] = { providers: [] },
): Promise<Desk> {
  trackSecret("API key", provider.options?.apiKey)
  const store = memoryAdapter()
  const log = captureLog()
  const browser = await visit({ adapter: store, logger: log.logger, ...rest, providers: [provider] })
  return { browser, store, log }
}

export function only<T>(list: readonly T[]): T {
  const [one, ...more] = list
  if (one === undefined || more.length > 0) throw new Error(`Expected one item, got ${list.length}`)
  return one
}

/** A service for all tests of a file. After each test, it's reset. */
export async function serviceForTests(): Promise<Service> {
  const service = await openService()
  afterAll(() => service.close())
  afterEach(() => {
    service.received.length = 0
    service.answer = {}
  })
  return service
}
