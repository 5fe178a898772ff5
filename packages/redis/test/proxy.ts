import { connect, createServer, type Server, type Socket } from "node:net"

/** A network between a client and a server that a test can break. */
export interface Proxy {
  readonly url: string
  /** Closes all connections and refuses new ones. */
  cut(): void
  /** Keeps the connections open, and passes nothing on. */
  freeze(): void
  heal(): Promise<unknown>
  close(): Promise<void>
}

export async function startProxy(target: string): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const track = (socket: Socket) => {
    sockets.add(socket)
    if (isFrozen) socket.pause()
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket))
  }
  const server = createServer((incoming) => {
    const outgoing = connect(Number(new URL(target).port), "127.0.0.1")
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      from.on("data", (chunk) => to.write(chunk)).on("close", () => to.destroy())
      track(from)
    }
  })
  const port = await listen(server, 0)
  const disconnect = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    cut: () => void disconnect(),
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    heal: async () => {
      isFrozen = false
      for (const socket of sockets) socket.resume()
      if (!server.listening) await listen(server, port)
    },
    close: async () => void (await disconnect()),
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The proxy has no port.")
  return address.port
}
