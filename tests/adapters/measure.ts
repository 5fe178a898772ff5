import { type Capability, conformance, type ConformanceCase, testConnectionLoss } from "@latchkey/adapter-kit"
import { breakableProxy } from "@latchkey/adapter-kit/proxy"
import type { Adapter } from "@latchkey/core/adapters"
import { inject, vi } from "vitest"
import type { Entry } from "./published/published.js"
import { type Experience, experiences } from "./through-engine.js"

/** What a row of the table in docs/evidence/adapters.md shows. */
export interface Row {
  readonly adapter: string
  readonly database: string
  readonly isOurs: boolean
  /** The number of cases of the adapter kit that apply. */
  readonly cases: number
  /** Ids of those that fail. */
  readonly failed: readonly string[]
  /** Ids of the operations that fail when the connection breaks. `undefined`: nothing to break, or not measured. */
  readonly lost?: readonly string[]
  /** Where the steps of its records are atomic. `undefined`: it has none. */
  readonly records?: "global" | "process"
  /** What fails in a sign-in through Latchkey. */
  readonly throughLatchkey: readonly Experience[]
}

/** Whether this machine has what the adapter needs. */
export function canRun({ needs }: Entry): boolean {
  return needs === undefined || inject(needs) !== undefined
}

/** How hard the races are tried. A flaw doesn't show each time. */
export interface Effort {
  readonly rounds: number
  /** Whether sign-ins at two processes are tried. */
  readonly hasTwoProcesses: boolean
}

/** What `npm run conformance` does. */
export const whole: Effort = { rounds: 5, hasTwoProcesses: true }

/** What finds a row that changed: a race that an adapter of ours loses once, or that a published adapter never wins. */
export function enoughFor({ isOurs = false }: Entry): Effort {
  return isOurs ? { rounds: 1, hasTwoProcesses: true } : { rounds: 5, hasTwoProcesses: false }
}

export async function measure(entry: Entry, effort: Effort): Promise<Row> {
  // Two published adapters change tables otherwise.
  vi.stubEnv("NODE_ENV", "production")
  // A driver that stores local times shows it here, where an hour happens twice a year.
  vi.stubEnv("TZ", "America/New_York")
  const { adapter, close } = await entry.open((url) => url)
  try {
    const cases = conformance.filter((each) => applies(each, adapter, entry))
    const { name, database, isOurs = false } = entry
    const failed = await failuresOf(cases, adapter, { ...entry, ...effort })
    const throughLatchkey = await brokenExperiences(adapter, effort)
    const lost = await lossesOf(entry)
    const { records } = adapter
    return {
      adapter: name,
      database,
      isOurs,
      cases: cases.length,
      failed,
      ...(lost && { lost }),
      ...(records && { records: records.atomic }),
      throughLatchkey,
    }
  } finally {
    await close()
  }
}

/** Optional methods count if the adapter has them. */
function applies({ part }: ConformanceCase, adapter: Adapter, { isOurs = false }: Entry): boolean {
  if (part === "basic") return true
  if (part === "webauthn") return adapter.getAuthenticator !== undefined
  return part === "extraFields" || part === "uniqueCode" ? isOurs : adapter[part] !== undefined
}

async function failuresOf(
  cases: readonly ConformanceCase[],
  adapter: Adapter,
  { precision, rounds }: Entry & Effort,
): Promise<readonly string[]> {
  const failed: string[] = []
  for (const { id, run } of cases) {
    for (let round = 0; round < (/[.-]race$/.test(id) ? rounds : 1); round += 1) {
      const passed = await run(adapter, precision && { precision }).then(
        () => true,
        () => false,
      )
      if (passed) continue
      failed.push(id)
      break
    }
  }
  return failed.toSorted()
}

async function brokenExperiences(
  adapter: Adapter,
  { rounds, hasTwoProcesses }: Effort,
): Promise<readonly Experience[]> {
  const broken: Experience[] = []
  for (const [title, play] of Object.entries(experiences)) {
    if (betweenProcesses(title) && !hasTwoProcesses) continue
    for (let round = 0; round < (betweenProcesses(title) ? rounds : 1); round += 1) {
      if (await play(adapter).catch(() => false)) continue
      // The keys of `experiences` are the titles.
      broken.push(title as Experience)
      break
    }
  }
  return broken
}

function betweenProcesses(title: string): boolean {
  return title.startsWith("two processes: ")
}

/** What two measurements have in common: published adapters don't lose every race between processes. */
export function stable(row: Row): Row {
  if (row.isOurs) return row
  return { ...row, throughLatchkey: row.throughLatchkey.filter((title) => !betweenProcesses(title)) }
}

/** Ids of the operations that fail when the connection to the server breaks. */
async function lossesOf(entry: Entry): Promise<readonly string[] | undefined> {
  const { needs, breaks } = entry
  if (needs === undefined || needs === "redisCluster" || breaks === false) return undefined
  const server = new URL(inject(needs) ?? "")
  const proxy = await breakableProxy({ host: server.hostname, port: Number(server.port) })
  const { adapter, close } = await entry.open((url) => url.replace(server.host, `${proxy.host}:${proxy.port}`))
  const tests: (() => Promise<void>)[] = []
  const capabilities: Capability[] = ["transaction", "deleteSessions"].flatMap((name) =>
    name === "transaction" || name === "deleteSessions" ? (adapter[name] === undefined ? [] : [name]) : [],
  )
  const webauthn = adapter.getAuthenticator !== undefined
  const { breakConnection } = proxy
  testConnectionLoss(
    {
      name: entry.name,
      create: () => adapter,
      breakConnection,
      capabilities,
      webauthn,
      precision: entry.precision ?? "milliseconds",
    },
    { describe: (_, body) => body(), test: (_, body) => void tests.push(body) },
  )
  try {
    const failed: string[] = []
    for (const body of tests) {
      await body().catch((error: Error) => void failed.push(/loss\.\w+/.exec(error.message)?.[0] ?? error.message))
    }
    return failed.toSorted()
  } finally {
    await close()
    await proxy.close()
  }
}
