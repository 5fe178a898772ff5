import type { Hole } from "./hole.js"

/** Modes apply through every entry point. */
export const holes: readonly Hole[] = [
  {
    name: "an application of Next.js loses its mode",
    file: "packages/next/src/instance.ts",
    replace: "const { adapter, providers, ...options } = given",
    with: "const { adapter, providers, security: _, ...options } = given",
    test: { file: "tests/interop/entry-points/modes.test.ts", title: "the mode decides about" },
  },
  {
    name: "NODE_ENV=production doesn't count as production",
    file: "src/config/env/variables.ts",
    replace: 'isOn(read("DENO_DEPLOYMENT_ID")) ? "production" : undefined',
    with: 'isOn(read("DENO_DEPLOYMENT_ID")) ? undefined : undefined',
    test: { file: "packages/core/src/config/env/env.test.ts", title: "NODE_ENV=production sets the environment" },
  },
  {
    name: "a session in the database forgets when the user signed in, so explicit linking is always refused",
    file: "src/session/live-session.ts",
    replace: 'notBefore !== undefined || security.linking === "explicit"',
    with: "notBefore !== undefined || security === undefined",
    test: {
      file: "packages/core/test/modes/linking.test.ts",
      title: "with `link` the account is linked to the signed-in user",
    },
  },
]
