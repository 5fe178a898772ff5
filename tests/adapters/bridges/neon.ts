import { once } from "node:events"
import { type AddressInfo, connect } from "node:net"
import { neonConfig } from "@neondatabase/serverless"
import { createWebSocketStream, WebSocket, WebSocketServer } from "ws"

/**
 * Lets the Neon driver reach a PostgreSQL server of this machine: it speaks the protocol of PostgreSQL over a WebSocket, and
 * this passes it on.
 */
export async function neonBridge(): Promise<{ close(): Promise<void> }> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 })
  await once(server, "listening")
  // A server with a port has an address object.
  const { port: own } = server.address() as AddressInfo
  server.on("connection", (socket, request) => {
    const port = Number(new URL(request.url ?? "/", "ws://localhost").searchParams.get("port"))
    const stream = createWebSocketStream(socket)
    const database = connect({ host: "127.0.0.1", port })
    stream.on("error", () => database.destroy())
    database.on("error", () => stream.destroy())
    stream.pipe(database).pipe(stream)
  })
  neonConfig.webSocketConstructor = WebSocket
  neonConfig.wsProxy = (_host, port) => `127.0.0.1:${own}/?port=${port}`
  neonConfig.useSecureWebSocket = false
  neonConfig.pipelineConnect = false
  neonConfig.pipelineTLS = false
  const close = async (): Promise<void> => {
    for (const socket of server.clients) socket.terminate()
    server.close()
    await once(server, "close")
  }
  return { close }
}
