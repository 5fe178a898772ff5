import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

/** The services that the applications call: a mailbox, and a token endpoint that accepts each refresh token once. */
export interface Services {
  readonly url: string
  /** Links in emails, oldest first. */
  readonly links: string[]
  /** Codes in emails, oldest first. */
  readonly codes: string[]
  /** Accepted refresh tokens, oldest first. */
  readonly used: string[]
  /** Refresh tokens that were sent a second time. A real provider revokes the whole grant then (RFC 9700 §4.14.2). */
  readonly reused: string[]
  close(): Promise<void>
}

export async function startServices(): Promise<Services> {
  const [links, codes] = [new Array<string>(), new Array<string>()]
  const [used, reused] = [new Array<string>(), new Array<string>()]
  const server = createServer((req, res) => {
    text(req)
      .then((body) => {
        if (req.url === "/email") links.push(body)
        if (req.url === "/code") codes.push(body)
        if (req.url !== "/refresh") return res.end()
        if (used.includes(body)) {
          reused.push(body)
          return res.writeHead(400).end()
        }
        used.push(body)
        return res.end(`${body}+`)
      })
      .catch(() => res.destroy())
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, "close")
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, links, codes, used, reused, close }
}
