import { createHash } from "node:crypto"
import { createProvider, type FakeProvider } from "@latchkey/testing"
import { vi } from "vitest"
import { createApplication } from "./application.js"
import { compareSteps, type Difference } from "./compare.js"
import { type Entries, idOf } from "./entries.js"
import type { Library } from "./engines.js"
import { librariesFor } from "./libraries.js"
import { perform, type Stage } from "./play.js"
import { stateOf } from "./state.js"
import { createRecorder } from "./recorder.js"
import type { Plan, Scenario } from "./plan.js"

/** How a scenario ended: with a difference that no entry of the page explains, or with the entries that it used. */
export interface Result {
  readonly unlisted: readonly Difference[]
  readonly used: ReadonlySet<string>
  readonly requests: number
  /** Whether an entry ended it before its last step. */
  readonly ended: boolean
}

const start = Date.UTC(2026, 0, 1)
const op = createProvider({
  issParameter: false,
  clock: { now: () => Date.now() },
  people: { mallory: { sub: "mallory", email: "ada@example.test", email_verified: false } },
})
let scenarios = 0

/** Plays the scenario on both libraries, step by step, under one clock that stands still. */
export async function run({ plan, steps }: Scenario, entries: Entries): Promise<Result> {
  vi.useFakeTimers({ toFake: ["Date"], now: start })
  const libraries = librariesFor(plan)
  scenarios += 1
  const secrets = ["new", "old"].map((name) => createHash("sha256").update(`${name} ${scenarios}`).digest("base64"))
  const theirs = await openStage(libraries.theirs, plan, secrets, op)
  const ours = await openStage(libraries.ours, plan, secrets, op)
  const used = new Set<string>()
  let requests = 0
  let ended = false
  try {
    for (const [index, step] of steps.entries()) {
      if (step.do === "wait") vi.setSystemTime(Date.now() + step.seconds * 1000)
      const observed = await perform(theirs, step)
      requests += observed.length
      const scene = { plan, step, earlier: steps.slice(0, index) }
      const differences = compareSteps(observed, await perform(ours, step), scene)
      const unlisted = differences.filter((difference) => idOf(difference, entries) === undefined)
      if (unlisted.length > 0) return { unlisted, used, requests, ended }
      const ids = differences.flatMap((difference) => idOf(difference, entries) ?? [])
      for (const id of ids) used.add(id)
      ended = ids.some((id) => entries[id]?.ends === true) && (await stateOf(theirs)) !== (await stateOf(ours))
      if (ended) break
    }
    return { unlisted: [], used, requests, ended }
  } finally {
    await Promise.all([theirs.engine.close?.(), ours.engine.close?.()])
    vi.useRealTimers()
  }
}

async function openStage(library: Library, plan: Plan, secrets: readonly string[], op: FakeProvider): Promise<Stage> {
  const recorder = createRecorder()
  const application = createApplication(plan, { imports: library.imports, recorder, op, secrets })
  const engine = await library.open(application)
  const known = [...secrets, plan.env["AUTH_SECRET"] ?? ""].filter((secret) => secret !== "")
  return { application, engine, op, secrets: known, browsers: new Map(), authenticators: new Map() }
}
