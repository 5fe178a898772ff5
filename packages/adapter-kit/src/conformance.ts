import type { Adapter } from "@latchkey/core/adapters"
import { absence } from "./conformance/absence.js"
import { accounts } from "./conformance/accounts.js"
import { authenticators } from "./conformance/authenticators.js"
import { allMethodsTested, capabilities } from "./conformance/capabilities.js"
import type { Capability, ConformanceCase, Surroundings } from "./conformance/case.js"
import { details } from "./conformance/details.js"
import { limits } from "./conformance/limits.js"
import { lookAlikes } from "./conformance/look-alikes.js"
import { recordBatches } from "./conformance/records-batch.js"
import { recordLists } from "./conformance/records-find.js"
import { records } from "./conformance/records.js"
import { sessions } from "./conformance/sessions.js"
import { tokens } from "./conformance/tokens.js"
import { transactions } from "./conformance/transactions.js"
import { users } from "./conformance/users.js"
import { values } from "./conformance/values.js"

/**
 * The adapter contract as a list of test cases. {@link testAdapter} registers them with a test runner. To run a case
 * yourself, call its `run` with an adapter.
 *
 * @example
 * ```ts
 * import { conformance, memoryAdapter } from "@latchkey/adapter-kit"
 * for (const testCase of conformance) await testCase.run(memoryAdapter())
 * ```
 */
export const conformance: readonly ConformanceCase[] = [
  ...users,
  ...accounts,
  ...sessions,
  ...tokens,
  ...authenticators,
  ...capabilities,
  ...details,
  ...transactions,
  ...lookAlikes,
  ...values,
  ...limits,
  ...absence,
  ...records,
  ...recordBatches,
  ...recordLists,
]

/** Options of {@link testAdapter}. */
export interface TestAdapterOptions extends Partial<Surroundings> {
  /** Title of the group of tests. */
  readonly name: string
  /** Creates the adapter. Called once, before the first case. */
  create(): Adapter | PromiseLike<Adapter>
  /** Empties the database before each case. Optional, because the cases use unique values. */
  reset?(): void | PromiseLike<void>
  /** The capabilities to test. An optional method of the adapter that isn't listed fails the suite. @default none */
  readonly capabilities?: readonly Capability[]
  /** Whether to test the methods for passkeys. @default false */
  readonly webauthn?: boolean
  /** Ids of cases to skip. @default none */
  readonly skip?: readonly string[]
}

/** A test runner, such as Vitest, `node:test`, Bun or Jest. */
export interface Runner {
  describe(name: string, body: () => void): unknown
  test(name: string, body: () => Promise<void>): unknown
}

/**
 * Registers the adapter contract with a test runner. The message of a failed test has the requirement and what the adapter
 * did instead.
 *
 * @example
 * ```ts
 * import { allCapabilities, memoryAdapter, testAdapter } from "@latchkey/adapter-kit"
 * import { describe, test } from "node:test"
 * const options = { name: "memory", create: memoryAdapter, webauthn: true, capabilities: allCapabilities }
 * testAdapter(options, { describe, test })
 * ```
 */
export function testAdapter(options: TestAdapterOptions, runner: Runner): void {
  let created: PromiseLike<Adapter> | undefined
  const adapter = () => (created ??= Promise.resolve(options.create()))
  runner.describe(options.name, () => {
    for (const { name, run } of casesFor(options)) {
      runner.test(name, async () => {
        const tested = await adapter()
        await options.reset?.()
        await run(tested, surroundingsOf(options))
      })
    }
  })
}

function casesFor({
  capabilities: supported = [],
  webauthn = false,
  skip = [],
}: TestAdapterOptions): ConformanceCase[] {
  const parts: readonly string[] = ["basic", ...(webauthn ? ["webauthn"] : []), ...supported]
  return [...conformance, allMethodsTested(supported)].filter(
    ({ part, id }) => parts.includes(part) && !skip.includes(id),
  )
}

function surroundingsOf({ newId, precision }: TestAdapterOptions): Partial<Surroundings> {
  return { ...(newId && { newId }), ...(precision && { precision }) }
}
