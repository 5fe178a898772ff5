import { setTimeout as pause } from "node:timers/promises"
import type { Client } from "./client.js"
import type { Fleet } from "./fleet.js"
import type { Entry, Ledger } from "./ledger.js"

export interface Play {
  readonly client: Client
  readonly fleet: Fleet
  readonly ledger: Ledger
  /** Ends the loops. */
  readonly signal: AbortSignal
  /** A number from 0 to 1. */
  readonly random: () => number
}

/** After a failure, so that refused connections don't take all of the processor. Milliseconds. */
const breather = 5

export async function breathe<Result>(work: Promise<Result | undefined>): Promise<Result | undefined> {
  const result = await work
  if (result === undefined) await pause(breather)
  return result
}

const anyProcess = ({ fleet, random }: Play) => Math.floor(random() * fleet.size)

/** One user after another signs in, reads the session a few times at any process, and signs out. */
export async function visit(play: Play, name: string): Promise<void> {
  const { client, signal, random } = play
  for (let round = 0; !signal.aborted; round++) {
    // Every other sign-in is the return of a known user.
    const user = `${name}-${Math.floor(round / 2)}`
    const entry = await breathe(client.signIn(anyProcess(play), user))
    if (entry === undefined) continue
    const reads = Math.floor(random() * 6)
    for (let count = 0; count < reads; count++) await breathe(client.read(anyProcess(play), entry))
    // Some stay signed in.
    if (random() < 0.2) continue
    while (!signal.aborted && (await breathe(client.signOut(anyProcess(play), entry))) === undefined);
    await breathe(client.read(anyProcess(play), entry))
  }
}

/** Reads sessions of others, also those that have ended, at any process. */
export async function watch(play: Play): Promise<void> {
  const { client, ledger, signal } = play
  while (!signal.aborted) {
    const entry = pick(play, ledger.entries)
    if (entry === undefined) await pause(breather)
    else await breathe(client.read(anyProcess(play), entry))
  }
}

/** Recent sessions more often, because requests for them are still under way elsewhere. */
function pick({ random }: Play, entries: readonly Entry[]): Entry | undefined {
  const recent = random() < 0.7 ? Math.min(entries.length, 30) : entries.length
  return entries[entries.length - 1 - Math.floor(random() * recent)]
}
