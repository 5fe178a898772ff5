import type { Feature } from "../../config/feature.js"
import type { AuthContext } from "../../model/auth.js"
import type { Vault } from "../../model/vault.js"

async function vaultOf({ tokens }: AuthContext): Promise<Vault<AuthContext> | undefined> {
  return (await tokens?.load()) as Vault<AuthContext> | undefined
}

/** Access tokens of providers that are renewed when they expire. `index.ts` brings the rest. */
export const tokens: Feature = {
  vault: vaultOf,
  credentialKinds: [
    {
      name: "provider-tokens",
      async end(auth, { userId }) {
        await (await (await vaultOf(auth))?.forget(auth, userId))?.()
      },
    },
  ],
}
