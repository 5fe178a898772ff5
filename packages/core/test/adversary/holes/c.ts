import type { Hole } from "./hole.js"

const counted = {
  file: "packages/core/test/invariants/one-site.test.ts",
  title: "whatever object, host or path a guess comes through, its site counts it",
}

/** One site, one set of counters. */
export const holes: readonly Hole[] = [
  {
    name: "a configuration that is replaced begins new counters without end",
    file: "src/limits/ledger.ts",
    replace: "points: limit.points * share }",
    with: "points: Number.MAX_SAFE_INTEGER }",
    test: counted,
  },
  {
    name: "each spelling of a mount path is a site of its own",
    file: "src/config/site.ts",
    replace: "JSON.stringify([listOf(secret), listOf(jwt?.secret), securityMode(config)])",
    with: "JSON.stringify([listOf(secret), listOf(jwt?.secret), securityMode(config), config.basePath])",
    test: counted,
  },
]
