import { once } from "node:events"
import { createServer, request, type IncomingHttpHeaders, type RequestListener } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { onTestFinished } from "vitest"
import { trackCookies, trackFields } from "../../testing/src/secrets.js"

/** Starts a server on a free loopback port. It stops after the test. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Ask {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Unlike `fetch`, it can send any `Host` header. */
export async function ask(url: string, { method = "GET", headers = {}, body }: Ask = {}): Promise<Answer> {
  const sent = request(url, { method, headers, agent: false })
  sent.end(body)
  if (body !== undefined) trackFields(new URLSearchParams(body))
  const [answer] = await once(sent, "response")
  trackCookies(answer.headers["set-cookie"] ?? [])
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks).toString() }
}

/** Sends a text over a connection and returns the whole response. */
export async function talk(origin: string, text: string): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.end(text)
  const received: Buffer[] = []
  for await (const chunk of socket) received.push(chunk)
  return Buffer.concat(received).toString()
}
