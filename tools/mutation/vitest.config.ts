import { BaseSequencer, type TestSpecification } from "vitest/node"
import base from "../../vitest.config.js"

/**
 * The tests nearest to each part. All others drive the same code a second time, and a mutant that only they would see
 * has no test where a newcomer looks for it.
 */
const nearest: Readonly<Record<string, readonly string[]>> = {
  crypto: ["src/crypto", "test/jwt", "test/modes/keys", "test/attacks/token"],
  session: ["src/session", "test/http/session", "test/server", "test/modes", ...attacks("session", "token", "signout")],
  signin: [
    "src/signin",
    "test/modules",
    "test/flows/signin",
    "test/modes",
    "test/attacks/linking",
    "test/attacks/faults",
  ],
  http: ["src/http", "test/http", "test/server/origin", ...attacks("csrf", "cookies", "redirects", "host", "headers")],
  "methods/oauth": [
    "src/methods",
    "test/methods",
    "test/flows/oauth/reasons",
    "test/flows/oauth",
    ...attacks(
      "oauth",
      "id-token",
      "checks-state",
      "checks-attempt",
      "mix-up",
      "userinfo",
      "discovery",
      "keys",
      "form",
    ),
  ],
  limits: ["src/limits", "test/limits", "test/attacks/rate-limiting"],
}

function attacks(...names: readonly string[]): string[] {
  return names.map((name) => `test/attacks/${name}`)
}

const chosen = nearest[process.env["MUTATED_PART"] ?? ""] ?? Object.values(nearest).flat()

/** A folder of tests, or the files whose names begin like this. */
const include = chosen.flatMap((path) => [`packages/core/${path}/**/*.test.ts`, `packages/core/${path}*.test.ts`])

/** In the order of the list: most mutants die at a unit test, before the slow ones have their turn. */
class NearestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((a, b) => rank(a) - rank(b)))
  }
}

function rank({ moduleId }: TestSpecification): number {
  return chosen.findIndex((path) => moduleId.includes(`packages/core/${path}`))
}

// Without isolation a file costs no start of a worker: a mutant takes seconds instead of minutes.
export default {
  ...base,
  test: {
    ...base.test,
    projects: undefined,
    reporters: ["default"],
    include,
    isolate: false,
    sequence: { sequencer: NearestFirst },
    setupFiles: [base.test?.setupFiles ?? [], "tools/mutation/load-all.ts"].flat(),
  },
}
