import { once } from "node:events"
import { connect, type Server } from "node:net"

/** Number of ports to try before using any free port. */
const maxTries = 20

/** Listens on the wanted port of `localhost`, or else on the next free one. Returns the port. */
export async function listen(server: Server, wanted: number): Promise<number> {
  for (let port = wanted; port > 0 && port < Math.min(wanted + maxTries, 65_536); port++) {
    if (!(await isInUse(port)) && (await tryListen(server, port))) return portOf(server)
  }
  await tryListen(server, 0)
  return portOf(server)
}

/** Another program may use the port on another local address. Then `listen` alone wouldn't fail. */
async function isInUse(port: number): Promise<boolean> {
  const socket = connect({ port, host: "localhost" })
  try {
    await once(socket, "connect")
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function tryListen(server: Server, port: number): Promise<boolean> {
  try {
    server.listen(port, "localhost")
    await once(server, "listening")
    return true
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EADDRINUSE" || error.code === "EACCES"))
      return false
    throw error
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The server has no port. Call `listen` first.")
  return address.port
}
