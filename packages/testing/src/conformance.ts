import { ends } from "./conformance/ends.js"
import { exports } from "./conformance/export.js"
import { failedWrites } from "./conformance/failed-writes.js"
import { order } from "./conformance/order.js"
import { pages } from "./conformance/pages.js"
import { secrets } from "./conformance/secrets.js"
import { shape } from "./conformance/shape.js"
import type { ModuleCase, ModuleSubject } from "./conformance/subject.js"
import { texts } from "./conformance/texts.js"
import { users } from "./conformance/users.js"

/**
 * The contract of modules as a list of test cases. {@link testModule} registers them with a test runner. To run a case yourself,
 * call its `run` with a module.
 *
 * @example
 * ```ts
 * import { defineModule } from "@latchkey/core/module"
 * import { memoryAdapter } from "@latchkey/adapter-kit"
 * import { moduleConformance } from "@latchkey/testing"
 * const create = () => defineModule({ id: "empty" })
 * for (const testCase of moduleConformance) await testCase.run({ create, adapter: memoryAdapter })
 * ```
 */
export const moduleConformance: readonly ModuleCase[] = [
  shape,
  order,
  failedWrites,
  ...ends,
  exports,
  secrets,
  ...pages,
  texts,
  ...users,
]

/** Options of {@link testModule}. */
export interface TestModuleOptions extends ModuleSubject {
  /** Title of the group of tests. */
  readonly name: string
  /** Ids of cases to skip. @default none */
  readonly skip?: readonly string[]
}

/** A test runner, such as Vitest, `node:test`, Bun or Jest. */
export interface Runner {
  describe(name: string, body: () => void): unknown
  test(name: string, body: () => Promise<void>): unknown
}

/**
 * Registers the contract of modules with a test runner. The message of a failed test has the requirement and what the module did
 * instead.
 *
 * @example
 * ```ts
 * import { memoryAdapter } from "@latchkey/adapter-kit"
 * import { defineModule } from "@latchkey/core/module"
 * import { testModule } from "@latchkey/testing"
 * import { describe, test } from "node:test"
 * const create = () => defineModule({ id: "open", load: async () => ({ guard: () => ({ kind: "allow" }) }) })
 * testModule({ name: "open", create, adapter: memoryAdapter }, { describe, test })
 * ```
 */
export function testModule(options: TestModuleOptions, runner: Runner): void {
  const { name, skip = [], ...subject } = options
  runner.describe(name, () => {
    for (const { id, name: title, run } of moduleConformance) {
      if (!skip.includes(id)) runner.test(title, () => run(subject))
    }
  })
}
