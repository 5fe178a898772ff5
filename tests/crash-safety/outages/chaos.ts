import { breathe, type Play } from "./play.js"
import type { Server } from "./servers.js"

/** Finished requests between two faults, and during the outage of a server. */
const calm = 300
const down = 100

export interface Faults {
  readonly servers: readonly Server[]
  readonly say: (line: string) => void
}

/** Kills the processes in turn, `count` times. */
export async function killProcesses(play: Play, { say }: Faults, count: number): Promise<void> {
  const { fleet, ledger } = play
  for (let kill = 0; kill < count; kill++) {
    await ledger.after(calm)
    const at = kill % fleet.size
    const close = ledger.outage(`process ${at} killed`, at)
    await fleet.kill(at)
    await fleet.start(at)
    await works(play, at)
    close()
    say(`process ${at} was killed and works again`)
  }
}

/** Ends each server with a kill and cleanly, `count` times in all. */
export async function endServers(play: Play, { servers, say }: Faults, count: number): Promise<void> {
  const { ledger, fleet } = play
  for (let turn = 0; turn < count; turn++) {
    const server = servers[turn % servers.length]
    if (server === undefined) return
    await ledger.after(calm)
    const how = Math.floor(turn / servers.length) % 2 === 0 ? "kill" : "stop"
    const words = `${server.name} ${how === "kill" ? "killed" : "stopped"}`
    const close = ledger.outage(words)
    await server.end(how)
    await ledger.after(down)
    await server.start()
    await Promise.all(Array.from({ length: fleet.size }, (_, at) => works(play, at)))
    close()
    say(`${words}, and works again`)
  }
}

/** Resolves when a user can sign in, read the session and sign out at that process. */
async function works(play: Play, at: number): Promise<void> {
  const { client, ledger } = play
  for (;;) {
    const entry = await breathe(client.signIn(at, `probe-${at}-${ledger.entries.length}`))
    if (entry === undefined) continue
    const email = await breathe(client.read(at, entry))
    const isOver = email === undefined ? undefined : await breathe(client.signOut(at, entry))
    if (isOver) return
  }
}
