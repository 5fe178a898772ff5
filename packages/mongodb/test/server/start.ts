import type { Document } from "bson"
import { afterAll } from "vitest"
import { Databases, execute } from "./commands.js"
import { listen } from "./wire.js"

export interface StandIn {
  readonly url: string
  /** The names of the commands so far, without those of the connection. */
  readonly commands: readonly Document[]
  /** Closes the connection of the n-th command from now on and of all later ones, before it's executed or after it. */
  breakAt(command: number, when: "before" | "after"): void
  repair(): void
  stop(): Promise<void>
}

const ofConnection: readonly string[] = ["hello", "ismaster", "isMaster", "ping", "endSessions"]

/**
 * Starts a server with the wire protocol of MongoDB and an empty memory. It stops after the tests of the file.
 *
 * @param at the port. By default a free one
 */
export async function startStandIn(at?: number): Promise<StandIn> {
  const databases = new Databases()
  const commands: Document[] = []
  let [count, breaksAt, breaksAfter] = [0, Number.POSITIVE_INFINITY, false]
  const { port, stop } = await listen((command, socket) => {
    const [name = ""] = Object.keys(command)
    if (ofConnection.includes(name)) return execute(command, databases)
    commands.push(command)
    count += 1
    const isBroken = count >= breaksAt
    const response = isBroken && !breaksAfter ? undefined : execute(command, databases)
    if (!isBroken) return response
    socket.destroy()
    return undefined
  }, at)
  afterAll(stop)
  return {
    url: `mongodb://127.0.0.1:${port}/test?retryReads=false&serverSelectionTimeoutMS=5000`,
    commands,
    breakAt: (command, when) => {
      count = 0
      breaksAt = command
      breaksAfter = when === "after"
    },
    repair: () => {
      breaksAt = Number.POSITIVE_INFINITY
    },
    stop,
  }
}
