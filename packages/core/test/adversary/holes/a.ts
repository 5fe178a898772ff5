import type { Hole } from "./hole.js"

/** The browser never overrides the site. */
export const holes: readonly Hole[] = [
  {
    name: "a visitor replaces configured parameters of the authorization request",
    file: "src/methods/oauth/requested-params.ts",
    replace: "if (configuredParams.has(name)) return false",
    with: 'if (mode === "compatible") return true',
    breaks: "parameters-kept",
  },
]
