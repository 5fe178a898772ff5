import * as config from "../config/check/check.js"
import { type AnyConfig, compileWith } from "../config/compile.js"
import { optionsChecked } from "../config/option-check.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import { features } from "./features.js"

/**
 * Checks a configuration and resolves every default, once for each configuration. A new object with the same content is the
 * same configuration. If only its functions are new, it's resolved anew, and the state of its site continues.
 *
 * @throws AuthError that lists every problem of the configuration
 */
export function compile(given: AnyConfig): AuthContext {
  return compileWith(features, given)
}

/**
 * Like `compile`. Under `"strict"`, it also waits until the names of all options are checked, once for each configuration.
 *
 * @throws AuthError that lists every problem of the configuration, or every unknown option
 */
export async function compileChecked(given: AnyConfig): Promise<AuthContext> {
  const auth = compile(given)
  await optionsChecked(auth)
  return auth
}

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
