import type { Feature } from "../../config/feature.js"

/** Access tokens of providers that are renewed when they expire. `index.ts` brings what keeps them. */
export const tokens: Feature = {
  credentialKinds: [
    {
      name: "provider-tokens",
      async end(auth, { userId }) {
        await (await (await auth.vault?.())?.forget(auth, userId))?.()
      },
    },
  ],
}
