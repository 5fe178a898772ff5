import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { Redis } from "ioredis"

/** The REST interface of Upstash in front of a Redis server: each request is one command, as a JSON array. */
export async function upstashBridge(url: string): Promise<{ url: string; close(): Promise<void> }> {
  const redis = new Redis(url)
  const server = createServer((request, response) => {
    void reply(redis, request).then((body) => response.setHeader("content-type", "application/json").end(body))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server with a port has an address object.
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
    await redis.quit()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

async function reply(redis: Redis, request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
  const encode = request.headers["upstash-encoding"] === "base64" ? encoded : (result: unknown) => result
  const isPipeline = request.url?.endsWith("/pipeline") === true && Array.isArray(body)
  const results = isPipeline
    ? await Promise.all(body.map((each) => run(redis, each, encode)))
    : run(redis, body, encode)
  return JSON.stringify(await results)
}

type Encode = (result: unknown) => unknown

async function run(redis: Redis, command: unknown, encode: Encode): Promise<{ result: unknown } | { error: string }> {
  const [name = "", ...args] = Array.isArray(command) ? command.map(String) : []
  try {
    return { result: encode(await redis.call(name, ...args)) }
  } catch (error) {
    return { error: String(error) }
  }
}

/** Numbers and null stay as they are. */
function encoded(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(encoded)
  return typeof result === "string" && result !== "OK" ? Buffer.from(result).toString("base64") : result
}
