import type { Hole } from "./hole.js"

/** Modes apply through every entry point. */
export const holes: readonly Hole[] = [
  {
    name: "a session in the database forgets when the user signed in, so explicit linking is always refused",
    file: "src/config/session-config.ts",
    replace: 'return lifetime.absoluteMaxAge !== undefined || security.linking === "explicit"',
    with: "return lifetime.absoluteMaxAge !== undefined && security !== undefined",
    test: {
      file: "packages/core/test/modes/linking.test.ts",
      title: "with `link` the account is linked to the signed-in user",
    },
  },
]
