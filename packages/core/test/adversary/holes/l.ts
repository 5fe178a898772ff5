import type { Hole } from "./hole.js"

/** What one session leaves behind gives another nothing. */
export const holes: readonly Hole[] = [
  {
    name: "a thief of an old session who links an account of their own counts as signed in recently",
    file: "src/signin/resolve-identity.ts",
    replace: "continued: asked,",
    with: "continued: undefined,",
    test: {
      file: "packages/core/test/account/recent-sign-in.test.ts",
      title: "isn't a recent sign-in",
    },
  },
]
