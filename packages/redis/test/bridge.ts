import { createServer, type IncomingMessage } from "node:http"
import type { Redis } from "ioredis"

/** Where the client of `@upstash/redis` sends its commands, in front of a real Redis. */
export interface Bridge {
  readonly url: string
  close(): Promise<void>
}

/** Takes a command as a JSON array, or several at `/pipeline`, and returns the results as JSON. */
export async function startBridge(redis: Redis): Promise<Bridge> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<unknown> => {
      const body = await bodyOf(request)
      return request.url === "/pipeline" ? Promise.all(body.map((each) => run(redis, each))) : run(redis, body)
    }
    const reply = (result: unknown) =>
      response.setHeader("content-type", "application/json").end(JSON.stringify(result))
    answer().then(reply, (error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The bridge has no port.")
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

async function run(redis: Redis, command: unknown): Promise<{ readonly result: unknown }> {
  if (!Array.isArray(command)) throw new TypeError("A command is an array.")
  const [name, ...values] = command.map(String)
  return { result: await redis.call(name ?? "", values) }
}

async function bodyOf(request: IncomingMessage): Promise<unknown[]> {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  const body: unknown = JSON.parse(text)
  if (!Array.isArray(body)) throw new TypeError("The body is an array.")
  return body
}
