import { once } from "node:events"
import { type IncomingMessage, request as connect } from "node:http"

/** Sends a request to a server with exactly its headers. `fetch` replaces some of those that browsers send. */
export async function send(request: Request): Promise<Response> {
  const { method, url, headers } = request
  const sent = connect(url, { method, headers: Object.fromEntries(headers), agent: false })
  sent.end(Buffer.from(await request.arrayBuffer()))
  const [answer]: IncomingMessage[] = await once(sent, "response")
  if (answer === undefined) throw new Error("The server didn't respond.")
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(Buffer.from(part))
  const received = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) received.append(name, value)
  }
  const status = answer.statusCode ?? 0
  return new Response([204, 304].includes(status) ? null : Buffer.concat(parts), { status, headers: received })
}
