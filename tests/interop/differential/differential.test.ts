// Random applications and requests, on the published packages and on Latchkey. A quarter of FUZZ_RUNS is the number of
// scenarios: 500, and 2,500 in the project `long` of vitest. FUZZ_SEED and FUZZ_PATH repeat a failure.
import fc from "fast-check"
import { afterAll, expect, test } from "vitest"
import type { Difference } from "./compare.js"
import { matchers } from "./matchers.js"
import { minimize } from "./minimize.js"
import type { Framework, Scenario } from "./plan.js"
import { testFor } from "./print.js"
import { run } from "./run.js"
import { scenarioFor } from "./sequences.js"
import { createUsage } from "./usage.js"

const { FUZZ_RUNS = "2000", FUZZ_SEED = "20261", FUZZ_PATH: path } = process.env
const total = Math.ceil(Number(FUZZ_RUNS) / 4)

const frameworks: readonly Framework[] = ["core", "next", "express"]

/** A scenario with Express takes four times as long as one without a server. */
const shares: Readonly<Record<Framework, number>> = { core: 0.6, next: 0.28, express: 0.12 }

const entries = matchers
const usage = createUsage()
afterAll(() => console.log(usage.report(Object.keys(entries))))

async function differencesOf(scenario: Scenario): Promise<readonly Difference[]> {
  const result = await run(scenario, entries)
  usage.add(scenario.plan.framework, result)
  return result.unlisted
}

/** The first failing scenario, as a test that is as small as possible. */
async function failureIn(framework: Framework): Promise<string | undefined> {
  const property = fc.asyncProperty(scenarioFor(framework), async (scenario) => {
    const differences = await differencesOf(scenario)
    return differences.length === 0
  })
  const numRuns = Math.ceil(total * shares[framework])
  const replay = { seed: Number(FUZZ_SEED) + frameworks.indexOf(framework), ...(path !== undefined && { path }) }
  const details = await fc.check(property, { numRuns, endOnFailure: true, ...replay })
  const [scenario] = details.counterexample ?? []
  if (scenario === undefined) return undefined
  const found = (await run(scenario, entries)).unlisted.map(({ where }) => where)
  const fails = async (smaller: Scenario) =>
    (await run(smaller, entries)).unlisted.some(({ where }) => found.includes(where))
  const smallest = await minimize(scenario, fails)
  const { unlisted } = await run(smallest, entries)
  return `FUZZ_SEED=${FUZZ_SEED} FUZZ_PATH=${details.counterexamplePath}\n\n${testFor(smallest, unlisted)}\n`
}

test.each(frameworks)(
  `random applications on %s differ from next-auth only where docs/differences.md says so`,
  { timeout: 900_000 },
  async (framework) => {
    const failure = await failureIn(framework)
    expect(failure, failure).toBeUndefined()
  },
)
