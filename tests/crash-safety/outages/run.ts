import { endServers, killProcesses } from "./chaos.js"
import { Client } from "./client.js"
import { type Fleet, fleet as startFleet } from "./fleet.js"
import { Ledger } from "./ledger.js"
import { type Play, visit, watch } from "./play.js"
import { compareRows } from "./rows.js"
import { postgresServer, redisServer } from "./servers.js"
import type { StoreKind } from "./stores.js"

export interface RunOptions {
  /** How often a process is killed, and how often a server ends. */
  readonly kills: number
  readonly ends: number
  readonly processes: number
  readonly store: StoreKind
  readonly visitors: number
  readonly say: (line: string) => void
}

/** What the run has found. */
export interface Report {
  /** Broken invariants. */
  readonly violations: readonly string[]
  readonly counts: Ledger["counts"]
  readonly lines: readonly string[]
}

/** @returns undefined if this machine doesn't have PostgreSQL and Redis */
export async function run(options: RunOptions): Promise<Report | undefined> {
  const [postgres, redis] = [await postgresServer(), await redisServer()]
  const servers = [postgres, redis].filter((one) => one !== undefined)
  let fleet: Fleet | undefined
  try {
    if (postgres === undefined || redis === undefined) return undefined
    await Promise.all(servers.map((server) => server.start()))
    const { store, processes } = options
    fleet = await startFleet({ postgres: postgres.url, redis: redis.url, store }, processes)
    const ledger = new Ledger()
    const play = playOf(fleet, ledger)
    const faults = { servers: store === "sql" ? [postgres] : servers, say: options.say }
    const loops = [
      ...Array.from({ length: options.visitors }, (_, at) => visit(play, `visitor-${at}`)),
      ...Array.from({ length: options.visitors / 2 }, () => watch(play)),
    ]
    await Promise.all([killProcesses(play, faults, options.kills), endServers(play, faults, options.ends)])
    play.stop()
    await Promise.all(loops)
    await readAll(play)
    const { violations, ...found } = await compareRows(postgres.url, ledger, store !== "redisSessions")
    return reportOf(play, [...violations, ...leaksOf(fleet, ledger)], found)
  } finally {
    await fleet?.stop()
    await Promise.all(servers.map((server) => server.remove()))
  }
}

function playOf(fleet: Fleet, ledger: Ledger): Play & { stop(): void } {
  const end = new AbortController()
  const client = new Client(fleet, ledger)
  return { client, fleet, ledger, signal: end.signal, random: Math.random, stop: () => end.abort() }
}

/** Every session at every process, in the end. */
async function readAll({ client, fleet, ledger }: Play): Promise<void> {
  for (const entry of ledger.entries)
    await Promise.all(Array.from({ length: fleet.size }, (_, at) => client.read(at, entry)))
}

function leaksOf({ errors }: Fleet, { entries }: Ledger): readonly string[] {
  const text = errors.join("")
  return entries.filter(({ token }) => text.includes(token)).map(({ email }) => `A log has the token of ${email}`)
}

function reportOf({ ledger, fleet }: Play, more: readonly string[], rows: object): Report {
  const unexplained = ledger
    .unexplained()
    .map(({ process, what }) => `Outside of an outage, process ${process}: ${what}`)
  const violations = [...ledger.violations, ...more, ...fleet.crashes, ...unexplained]
  const failuresOf = (name: string) =>
    ledger.outages.filter((outage) => outage.name === name).reduce((sum, { failures }) => sum + failures, 0)
  const names = [...new Set(ledger.outages.map(({ name }) => name))]
  const lines = [
    `requests: ${ledger.requests}, of which failed: ${ledger.failures.length}`,
    ...Object.entries(ledger.counts).map(([name, count]) => `${name}: ${count}`),
    ...Object.entries(rows).map(([name, count]) => `${name} in the tables: ${count}`),
    ...names.map(
      (name) =>
        `${name}: ${ledger.outages.filter((one) => one.name === name).length} times, ${failuresOf(name)} failed requests`,
    ),
    `failed requests outside of outages: ${unexplained.length}`,
    `broken invariants: ${violations.length}`,
  ]
  return { violations, counts: ledger.counts, lines }
}
