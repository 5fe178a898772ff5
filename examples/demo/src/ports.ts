import { once } from "node:events"
import { connect, type Server } from "node:net"

/** How many ports above the wanted one are tried before any free one will do. */
const tries = 20

/** Binds a server to `localhost`, on the wanted port or the next one that is free, and tells which. */
export async function listen(server: Server, wanted: number): Promise<number> {
  for (let port = wanted; port > 0 && port < Math.min(wanted + tries, 65_536); port++) {
    if (!(await answers(port)) && (await binds(server, port))) return portOf(server)
  }
  await binds(server, 0)
  return portOf(server)
}

/** Another program may hold the port on another address of this machine, which `listen` alone would not notice. */
async function answers(port: number): Promise<boolean> {
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

async function binds(server: Server, port: number): Promise<boolean> {
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
  if (address === null || typeof address === "string") throw new Error("The server has no port: it must listen on one")
  return address.port
}
