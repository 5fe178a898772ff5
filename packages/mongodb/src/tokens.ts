import type { TokenMethods } from "@latchkey/core/adapters"
import { assertText, fieldsOf, isText } from "./documents.js"
import { rejectDuplicates } from "./failures.js"
import type { Store } from "./store.js"

export function tokenMethods(store: Store): TokenMethods {
  return {
    createVerificationToken: async ({ identifier, token, expires }) => {
      assertText(identifier, token)
      const document = fieldsOf({ identifier, token, expires })
      const taken = "The token already exists for this identifier. Generate another."
      await store.write(({ tokens }) => rejectDuplicates(taken, () => tokens.insertOne(document)))
      return { identifier, token, expires }
    },
    useVerificationToken: async ({ identifier, token }) => {
      if (!isText(identifier) || !isText(token)) return null
      // The server deletes and returns in one step, so only one of several parallel calls gets the document.
      const used = await store.read(({ tokens }) =>
        tokens.findOneAndDelete({ identifier, token }, { includeResultMetadata: false }),
      )
      return used === null ? null : { identifier, token, expires: new Date(used["expires"]) }
    },
    getVerificationToken: async ({ identifier, token }) => {
      if (!isText(identifier) || !isText(token)) return null
      const found = await store.read(({ tokens }) => tokens.findOne({ identifier, token }))
      return found === null ? null : { identifier, token, expires: new Date(found["expires"]) }
    },
    deleteVerificationTokens: async (identifier) => {
      if (isText(identifier)) await store.read(({ tokens }) => tokens.deleteMany({ identifier }))
    },
  }
}
