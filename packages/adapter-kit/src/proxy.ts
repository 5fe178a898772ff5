import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { setImmediate } from "node:timers/promises"

/** A TCP proxy in front of a database. It breaks connections when a test says so. */
export interface BreakableProxy {
  readonly host: string
  readonly port: number
  /**
   * Breaks all connections instead of forwarding the message with this number, counted from now on. Requests and responses
   * count. New connections work at once. Returns a function that calls this off, and returns whether it happened.
   */
  breakConnection(message: number): () => Promise<boolean>
  /** Ends all connections and stops listening. */
  close(): Promise<void>
}

/**
 * Starts a TCP proxy on a free port of 127.0.0.1, for `testConnectionLoss`. It needs Node, Bun or Deno.
 *
 * @example
 * ```ts
 * import { breakableProxy } from "@latchkey/adapter-kit/proxy"
 * const proxy = await breakableProxy({ host: "127.0.0.1", port: 5432 })
 * const url = `postgres://user:password@${proxy.host}:${proxy.port}/database`
 * ```
 */
export async function breakableProxy(target: {
  readonly host: string
  readonly port: number
}): Promise<BreakableProxy> {
  const sockets = new Set<Socket>()
  let remaining = Number.POSITIVE_INFINITY
  const isLast = () => {
    remaining -= 1
    return remaining === 0
  }
  const server = createServer((client) => join(client, connect(target), { sockets, isLast }))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // `listen` with a port gives the address an object.
  const { address: host, port } = server.address() as AddressInfo
  return {
    host,
    port,
    breakConnection(message) {
      remaining = message
      return async () => {
        const broke = remaining <= 0
        remaining = Number.POSITIVE_INFINITY
        if (broke) await settle(sockets)
        return broke
      }
    },
    async close() {
      destroy(sockets)
      server.close()
      await once(server, "close")
    },
  }
}

interface Gate {
  readonly sockets: Set<Socket>
  /** Counts a message. */
  isLast(): boolean
}

function join(client: Socket, database: Socket, { sockets, isLast }: Gate): void {
  for (const [from, to] of [
    [client, database],
    [database, client],
  ] as const) {
    sockets.add(from)
    from.setNoDelay(true)
    // A reset by either side ends the other one too.
    from.on("error", () => to.destroy())
    from.on("close", () => {
      sockets.delete(from)
      to.destroy()
    })
    from.on("data", (chunk) => (isLast() ? destroy(sockets) : to.write(chunk)))
  }
}

function destroy(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) socket.destroy()
}

/** The adapter runs in the same process, and notices the end of a connection a few turns later. */
async function settle(sockets: ReadonlySet<Socket>): Promise<void> {
  while (Array.from(sockets).some((socket) => socket.destroyed)) await setImmediate()
  for (let turn = 0; turn < 10; turn += 1) await setImmediate()
}
