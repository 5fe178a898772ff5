import type { Feature } from "../../config/feature.js"
import { loadOnce } from "../../primitives/awaitable.js"

const load = loadOnce(async () => (await import("./vault.js")).vault)

/** Access tokens of providers that are renewed when they expire. */
export const tokens: Feature = {
  vault: async (auth) => (auth.tokens ? load() : undefined),
  credentialKinds: [
    {
      name: "provider-tokens",
      async end(auth, { userId }) {
        if (auth.tokens) await (await (await load()).forget(auth, userId))()
      },
    },
  ],
}
