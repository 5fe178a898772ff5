import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createQwikRouter } from "@qwik.dev/router/middleware/node"
import render from "./entry.ssr"

const { router, staticFile } = createQwikRouter({ render })

const server = createServer((request, response) => {
  staticFile(request, response, () => router(request, response, () => response.writeHead(404).end()))
})
server.listen(Number(process.env["PORT"]), "127.0.0.1", () => {
  console.log(`Listening on http://localhost:${(server.address() as AddressInfo).port}`)
})
