import type { TokenMethods } from "@latchkey/core/adapters"
import type { Store } from "./store.js"

export function tokenMethods(store: Store): TokenMethods {
  const tokens = async () => (await store.tables()).verificationTokens
  return {
    createVerificationToken: async (token) => {
      await (await tokens()).add(token)
      return token
    },
    useVerificationToken: async ({ identifier, token }) =>
      (await (await tokens()).remove({ identifier, token }))[0] ?? null,
    getVerificationToken: async ({ identifier, token }) =>
      (await (await tokens()).find({ identifier, token }))[0] ?? null,
    deleteVerificationTokens: async (identifier) => (await tokens()).clear({ identifier }),
  }
}
