import { once } from "node:events"
import { createServer } from "node:http"
import { connect } from "node:net"
import { neonConfig, Pool } from "@neondatabase/serverless"
import { onTestFinished } from "vitest"
import { WebSocket, WebSocketServer } from "ws"

/** A pool of the Neon driver, which speaks WebSocket, and a bridge from there to the server. */
export async function neonPool(connectionString: string, finished: (stop: () => void) => void = onTestFinished) {
  const { hostname, port } = new URL(connectionString)
  const bridge = createServer()
  const sockets = new WebSocketServer({ server: bridge })
  sockets.on("connection", (socket) => {
    const server = connect(Number(port), hostname)
    socket.on("message", (bytes) => server.write(Buffer.isBuffer(bytes) ? bytes : Buffer.from(String(bytes))))
    server.on("data", (bytes) => socket.send(bytes))
    socket.on("close", () => server.destroy())
    server.on("close", () => socket.close())
    server.on("error", () => socket.close())
    socket.on("error", () => server.destroy())
  })
  bridge.listen(0, "127.0.0.1")
  await once(bridge, "listening")
  finished(() => {
    for (const socket of sockets.clients) socket.terminate()
    bridge.close()
  })
  const address = bridge.address()
  if (address === null || typeof address === "string") throw new Error("The bridge has no port")
  neonConfig.webSocketConstructor = WebSocket
  neonConfig.wsProxy = () => `127.0.0.1:${address.port}/`
  neonConfig.useSecureWebSocket = false
  neonConfig.pipelineConnect = false
  neonConfig.pipelineTLS = false
  const pool = new Pool({ connectionString })
  pool.on("error", () => {})
  return pool
}
