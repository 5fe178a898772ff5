// Random applications and requests, on next-auth 4.24.15 and on the bridge, over HTTP: 500 scenarios, and 3,000 in the project
// `long` of vitest. FUZZ_SEED and FUZZ_PATH repeat a failure.
import { createProvider } from "@latchkey/testing"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Scenario } from "./plan.js"
import { scenarios } from "./plan.js"
import { run } from "./run.js"

const { FUZZ_RUNS = "2000", FUZZ_SEED = "20264", FUZZ_PATH: path } = process.env
const numRuns = Math.ceil(Number(FUZZ_RUNS) * (Number(FUZZ_RUNS) > 2000 ? 0.6 : 0.25))

const op = createProvider({
  id: "op",
  issParameter: false,
  clock: { now: () => Date.now() },
})
let close: () => Promise<void>
const counts = new Map<string, number>()
let requests = 0
let played = 0

beforeAll(async () => {
  ;({ close } = await op.listen())
})
afterAll(async () => {
  await close()
  const lines = [...counts].toSorted((a, b) => b[1] - a[1]).map(([id, count]) => `${String(count).padStart(6)} ${id}`)
  console.log([`${played} scenarios, ${requests} requests`, ...lines].join("\n"))
})

async function failureOf(scenario: Scenario): Promise<string | undefined> {
  const { unlisted, used, requests: sent } = await run(scenario, op)
  played += 1
  requests += sent
  for (const id of used) counts.set(id, (counts.get(id) ?? 0) + 1)
  if (unlisted.length === 0) return undefined
  return unlisted
    .map(
      ({ where, request, theirs, ours }) =>
        `${request}: ${where}\n  4.24: ${JSON.stringify(theirs)}\n  ours: ${JSON.stringify(ours)}`,
    )
    .join("\n")
}

test("random applications differ from next-auth 4 only where docs/differences-4.md says so", {
  timeout: 900_000,
}, async () => {
  const property = fc.asyncProperty(scenarios, async (scenario) => {
    const failure = await failureOf(scenario)
    if (failure !== undefined) throw new Error(failure)
  })
  const replay = { seed: Number(FUZZ_SEED), ...(path !== undefined && { path }) }
  const result = await fc.check(property, { numRuns, ...replay })
  const [scenario] = result.counterexample ?? []
  const details =
    scenario && `${JSON.stringify(scenario)}\n${String(result.errorInstance)}\n${result.counterexamplePath}`
  expect(details, details).toBeUndefined()
})
