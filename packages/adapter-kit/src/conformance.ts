import type { Adapter } from "@latchkey/core/adapters"
import { accounts } from "./conformance/accounts.js"
import { authenticators } from "./conformance/authenticators.js"
import { capabilities, noUntested } from "./conformance/capabilities.js"
import type { Capability, ConformanceCase, Surroundings } from "./conformance/case.js"
import { sessions } from "./conformance/sessions.js"
import { tokens } from "./conformance/tokens.js"
import { transactions } from "./conformance/transactions.js"
import { users } from "./conformance/users.js"

/**
 * The adapter contract (spec/adapter.md), one case a promise. {@link testAdapter} registers them with a test runner; to
 * run one by hand, call its `run` with an adapter.
 *
 * @example
 * ```ts
 * import { conformance, memoryAdapter } from "@latchkey/adapter-kit"
 * for (const promise of conformance) await promise.run(memoryAdapter())
 * ```
 */
export const conformance: readonly ConformanceCase[] = [
  ...users,
  ...accounts,
  ...sessions,
  ...tokens,
  ...authenticators,
  ...capabilities,
  ...transactions,
]

export interface TestAdapterOptions extends Partial<Surroundings> {
  /** Heading of the tests. */
  readonly name: string
  /** Makes the adapter: called once, before the first case that runs. */
  create(): Adapter | PromiseLike<Adapter>
  /** Empties the store before each case. The cases do not need it: they use addresses and tokens of their own. */
  reset?(): void | PromiseLike<void>
  /** What the adapter promises beyond the contract. Default: nothing, and then it may have no optional method. */
  readonly capabilities?: readonly Capability[]
  /** Whether passkeys can be stored. Default: `false`. */
  readonly webauthn?: boolean
  /** Ids of cases that the adapter is known to fail. Default: none. */
  readonly skip?: readonly string[]
}

/** The two functions every test runner has: vitest, `node:test`, bun and jest do. */
export interface Runner {
  describe(name: string, body: () => void): unknown
  test(name: string, body: () => Promise<void>): unknown
}

/**
 * Registers the adapter contract with a test runner. A test that fails says which promise was broken, and what came
 * instead.
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
  let made: PromiseLike<Adapter> | undefined
  const adapter = () => (made ??= Promise.resolve(options.create()))
  runner.describe(options.name, () => {
    for (const promise of promisesOf(options)) {
      runner.test(promise.name, async () => {
        const tested = await adapter()
        await options.reset?.()
        await promise.run(tested, surroundingsOf(options))
      })
    }
  })
}

function promisesOf({
  capabilities: promised = [],
  webauthn = false,
  skip = [],
}: TestAdapterOptions): ConformanceCase[] {
  const parts: readonly string[] = ["basic", ...(webauthn ? ["webauthn"] : []), ...promised]
  return [...conformance, noUntested(promised)].filter(({ part, id }) => parts.includes(part) && !skip.includes(id))
}

function surroundingsOf({ newId, precision }: TestAdapterOptions): Partial<Surroundings> {
  return { ...(newId && { newId }), ...(precision && { precision }) }
}
