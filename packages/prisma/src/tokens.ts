import type { TokenMethods, VerificationToken } from "@latchkey/core/adapters"
import type { Delegate, Row } from "./client.js"
import type { Store } from "./store.js"

export function tokenMethods(store: Store, tokens: Delegate): TokenMethods {
  return {
    createVerificationToken: async ({ identifier, token, expires }) =>
      tokenOf(await store.insert(tokens, { identifier, token, expires })),
    useVerificationToken: async ({ identifier, token }) => {
      const row = await store.take(tokens, { identifier, token })
      return row ? tokenOf(row) : null
    },
    getVerificationToken: async ({ identifier, token }) => {
      const [row] = await store.find(tokens, { identifier, token })
      return row ? tokenOf(row) : null
    },
    deleteVerificationTokens: async (identifier) => {
      for (const { token } of await store.find(tokens, { identifier }))
        await store.remove(tokens, { identifier, token })
    },
  }
}

/** The model may have an id, which the contract doesn't have. */
function tokenOf({ identifier, token, expires }: Row): VerificationToken {
  // `modelsOf` checked the fields.
  return { identifier, token, expires } as VerificationToken
}
