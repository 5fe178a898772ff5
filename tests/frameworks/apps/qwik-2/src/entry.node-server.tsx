import { createServer, type IncomingMessage } from "node:http"
import { createQwikRouter } from "@qwik.dev/router/middleware/node"
import render from "./entry.ssr"

const { router, notFound, staticFile } = createQwikRouter({ render, getOrigin })
const { AUTH_URL = "", PORT = "3000" } = process.env

/** Before anything else, Qwik compares the origin of a form with it. */
function getOrigin({ headers }: IncomingMessage): string {
  if (URL.canParse(AUTH_URL)) return new URL(AUTH_URL).origin
  const { "x-forwarded-proto": protocol = "http", "x-forwarded-host": host = headers.host } = headers
  return `${[protocol].flat()[0]}://${[host].flat()[0]}`
}

createServer((req, res) => {
  // Without this, Qwik never responds to a request with an invalid host.
  if (!/^[\w.-]+(?::\d+)?$/.test(req.headers.host ?? "")) return res.writeHead(400).end()
  const next = () => void router(req, res, () => void notFound(req, res, () => {}))
  void staticFile(req, res, next)
}).listen(Number(PORT), () => console.log(`http://localhost:${PORT}`))
