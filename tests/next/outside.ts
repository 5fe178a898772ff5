import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

/** What the applications talk to: a mailbox, and a token endpoint that takes each refresh token once. */
export interface Outside {
  readonly url: string
  /** Links that were mailed, oldest first. */
  readonly links: string[]
  /** Refresh tokens that were taken, oldest first. */
  readonly used: string[]
  /** Refresh tokens that came a second time: a provider ends the whole family then. */
  readonly burnt: string[]
  close(): Promise<void>
}

export async function outside(): Promise<Outside> {
  const [links, used, burnt] = [new Array<string>(), new Array<string>(), new Array<string>()]
  const server = createServer((req, res) => {
    text(req)
      .then((body) => {
        if (req.url === "/mail") links.push(body)
        if (req.url !== "/refresh") return res.end()
        if (used.includes(body)) {
          burnt.push(body)
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
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, links, used, burnt, close }
}
