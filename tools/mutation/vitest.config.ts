import { BaseSequencer, type TestSpecification } from "vitest/node"
import base from "../../vitest.config.js"

/** The tests closest to each part. A mutant that only other tests catch has no test where you would look for it. */
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
  "features/oauth": [
    "src/features/oauth",
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
  "features/passkeys": ["test/methods/webauthn", ...attacks("webauthn")],
  "features/rate-limits": ["test/limits", "test/attacks/rate-limiting"],
  limits: ["src/limits", "src/features/credentials", "test/limits", "test/attacks/rate-limiting"],
}

function attacks(...names: readonly string[]): string[] {
  return names.map((name) => `test/attacks/${name}`)
}

const chosen = nearest[process.env["MUTATED_PART"] ?? ""] ?? Object.values(nearest).flat()

/** Each entry is a folder of tests or the beginning of file names. */
const include = chosen.flatMap((path) => [`packages/core/${path}/**/*.test.ts`, `packages/core/${path}*.test.ts`])

/** Runs tests in the order of the list. Unit tests are first and catch most mutants, before a slow test runs. */
class NearestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((a, b) => rank(a) - rank(b)))
  }
}

function rank({ moduleId }: TestSpecification): number {
  return chosen.findIndex((path) => moduleId.includes(`packages/core/${path}`))
}

// Without isolation, files share a worker, and a mutant takes seconds instead of minutes.
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
