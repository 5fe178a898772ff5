import * as config from "../config/check/check.js"
import type { AuthConfig } from "../model/config.js"
import { features } from "./features.js"

interface Findings {
  readonly errors: readonly config.Problem[]
  readonly warnings: readonly config.Warning[]
}

/**
 * Finds every problem of a configuration. Throws and logs nothing. No message contains a secret.
 *
 * @example
 * ```ts
 * import { check } from "@latchkey/core"
 * for (const { path, problem, fix } of check({ providers: [] }).errors) console.error(`${path}: ${problem}. ${fix}`)
 * ```
 */
export function check(given: AuthConfig): Findings {
  return config.check(features.providers, given)
}

/**
 * The same as `check`, and also finds unknown options, such as `sesion`. It loads the table of all names for that.
 *
 * @example
 * ```ts
 * import { checkAll } from "@latchkey/core"
 * const { errors, warnings } = await checkAll({ providers: [], security: "strict" })
 * for (const { path, problem, fix } of errors) console.error(`${path}: ${problem}. ${fix}`)
 * for (const { code, detail } of warnings) console.warn(code, detail)
 * ```
 */
export async function checkAll(given: AuthConfig): Promise<Findings> {
  return config.checkAll(features.providers, given)
}
