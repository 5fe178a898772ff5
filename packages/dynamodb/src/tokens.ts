import { type TokenMethods, UniqueViolation, type VerificationToken } from "@latchkey/core/adapters"
import { attributesOf, dateOf, type Item } from "./codec.js"
import { assertStorable, isStorable, tokenKey } from "./keys.js"
import type { Table } from "./table.js"

export function tokenMethods(table: Table): TokenMethods {
  return {
    createVerificationToken: async ({ identifier, token, expires }) => {
      assertStorable(identifier)
      assertStorable(token)
      const item = { ...attributesOf({ identifier, token, expires }), type: "VT" }
      if (!(await table.put(tokenKey(identifier, token), item, { exists: false }))) {
        throw new UniqueViolation("The token already exists for this identifier. Generate another.")
      }
      return { identifier, token, expires }
    },
    useVerificationToken: async ({ identifier, token }) => {
      if (!isStorable(identifier) || !isStorable(token)) return null
      // DynamoDB returns the deleted item to one of several parallel calls.
      const removed = await table.remove(tokenKey(identifier, token))
      return removed === undefined ? null : tokenOf(removed)
    },
    getVerificationToken: async ({ identifier, token }) => {
      if (!isStorable(identifier) || !isStorable(token)) return null
      const found = await table.get(tokenKey(identifier, token))
      return found === undefined ? null : tokenOf(found)
    },
    deleteVerificationTokens: async (identifier) => {
      if (!isStorable(identifier)) return
      for (const { pk, sk } of await table.list(tokenKey(identifier, "").pk, "VT#")) await table.remove({ pk, sk })
    },
  }
}

function tokenOf({ identifier, token, expires }: Item): VerificationToken {
  return { identifier: String(identifier), token: String(token), expires: dateOf(expires) }
}
