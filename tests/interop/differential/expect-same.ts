import { expect } from "vitest"
import { matchers } from "./matchers.js"
import type { Scenario } from "./plan.js"
import { run } from "./run.js"

/** Expects that a scenario shows no difference, except those of docs/differences.md. */
export async function expectSame(scenario: Scenario): Promise<void> {
  const { unlisted } = await run(scenario, matchers)
  const found = unlisted.map(({ where, theirs, ours, context }) => ({ request: context.request, where, theirs, ours }))
  expect(found).toEqual([])
}
