import type { Hole } from "./hole.js"

/** One site, one set of counters. */
export const holes: readonly Hole[] = [
  {
    name: "a configuration that is made for each request begins new counters",
    file: "src/config/site.ts",
    replace: "return { scope: site.scope, notices: site.notices }",
    with: "return { scope: { ...site.scope, id: crypto.randomUUID() }, notices: site.notices }",
    test: {
      file: "packages/core/test/invariants/one-site.test.ts",
      title: "whatever object, host or path a guess comes through, its site counts it once",
    },
  },
  {
    name: "each spelling of a mount path begins new counters",
    file: "src/config/site.ts",
    replace: "JSON.stringify([listOf(secret), listOf(jwt?.secret), securityMode(config)])",
    with: "JSON.stringify([listOf(secret), listOf(jwt?.secret), securityMode(config), config.basePath])",
    test: {
      file: "packages/core/test/invariants/one-site.test.ts",
      title: "whatever object, host or path a guess comes through, its site counts it once",
    },
  },
]
