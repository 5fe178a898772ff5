import { Failure, must } from "../shell.mjs"
import { root } from "../workspace.mjs"

const parts = [
  "crypto",
  "features/rate-limits",
  "limits",
  "session",
  "signin",
  "http",
  "features/oauth",
  "features/passkeys",
]

/**
 * Runs mutation tests on the parts of core that make security decisions, each with the tests closest to it. It takes
 * hours, so CI doesn't run it. The reports are `.stryker/<part>.json`.
 * @param {string[]} args parts; all by default
 */
export async function mutate(args) {
  for (const part of args.length === 0 ? parts : args) {
    if (!parts.includes(part)) throw new Failure(`There is no part "${part}". The parts are ${parts.join(", ")}.`)
    const files = `packages/core/src/${part}/**/*.ts,!**/*.test.ts,!**/*.d.ts`
    await must("stryker", ["run", "--mutate", files], {
      cwd: root,
      env: { ...process.env, MUTATED_PART: part },
      advice: "Look at the mutants that survived. Each is behavior without a test.",
    })
  }
}
