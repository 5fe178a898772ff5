import { existsSync, readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import { gzipSync } from "node:zlib"

export interface SiteServer {
  readonly origin: string
  /** The files sent since the last `clear`, with their bytes as sent and unpacked. */
  readonly sent: ReadonlyMap<string, { readonly packed: number; readonly unpacked: number }>
  clear(): void
  close(): void
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
}

/** Serves a folder as hosts for static sites do: without `.html` in URLs, and compressed. */
export async function serve(folder: string): Promise<SiteServer> {
  const sent = new Map<string, { packed: number; unpacked: number }>()
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname)
    const file = [path, `${path}.html`, join(path, "index.html")].find((name) => isFile(join(folder, name)))
    const body = readFileSync(join(folder, file ?? "404.html"))
    const packed = gzipSync(body)
    sent.set(file ?? path, { packed: packed.length, unpacked: body.length })
    response.writeHead(file === undefined ? 404 : 200, {
      "content-type": types[extname(file ?? ".html")] ?? "text/plain; charset=utf-8",
      "content-encoding": "gzip",
    })
    response.end(packed)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    sent,
    clear: () => sent.clear(),
    close: () => server.close(),
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}
