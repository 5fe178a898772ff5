import type { TokenMethods, VerificationToken } from "@latchkey/core/adapters"
import type { Row } from "./database.js"
import type { Store } from "./store.js"

export function tokenMethods(store: Store): TokenMethods {
  const { verificationTokens } = store.models
  return {
    createVerificationToken: async ({ identifier, token, expires }) =>
      tokenOf(await store.insert(verificationTokens, { identifier, token, expires }, ["identifier", "token"])),
    useVerificationToken: async ({ identifier, token }) => {
      const row = await store.take(verificationTokens, { identifier, token })
      return row ? tokenOf(row) : null
    },
    getVerificationToken: async ({ identifier, token }) => {
      const [row] = await store.find(verificationTokens, { identifier, token })
      return row ? tokenOf(row) : null
    },
    deleteVerificationTokens: async (identifier) => store.remove(verificationTokens, { identifier }),
  }
}

/** The table may have an id, which the contract doesn't have. */
function tokenOf({ identifier, token, expires }: Row): VerificationToken {
  // `modelsOf` checked the columns.
  return { identifier, token, expires } as VerificationToken
}
