import { must } from "../shell.mjs"
import { root } from "../workspace.mjs"

const parts = ["crypto", "limits", "session", "signin", "http", "methods/oauth"]

/**
 * Mutation testing of the parts of core that decide over security, each with the tests nearest to it. Hours, not
 * minutes: not part of CI. The reports are `.stryker/<part>.json`.
 * @param {string[]} args parts; all of them by default
 */
export async function mutate(args) {
  for (const part of args.length === 0 ? parts : args) {
    if (!parts.includes(part)) throw new TypeError(`There is no part "${part}": use ${parts.join(", ")}`)
    const files = `packages/core/src/${part}/**/*.ts,!**/*.test.ts,!**/*.d.ts`
    await must("stryker", ["run", "--mutate", files], {
      cwd: root,
      env: { ...process.env, MUTATED_PART: part },
      advice: "look at the mutants that survived: each is a behaviour without a test",
    })
  }
}
