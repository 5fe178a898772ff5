import type { Adapter } from "@latchkey/core/adapters"
import { UniqueViolation } from "../unique-violation.js"
import { copyIn, copyOut } from "./copy.js"
import { pair, type Tables } from "./tables.js"

type TokenMethods = Required<
  Pick<
    Adapter,
    "createVerificationToken" | "useVerificationToken" | "getVerificationToken" | "deleteVerificationTokens"
  >
>

export function tokenMethods({ tokens }: Tables): TokenMethods {
  return {
    createVerificationToken: async (token) => {
      const key = pair(token.identifier, token.token)
      if (tokens.get(key)) throw new UniqueViolation("The token already exists for this identifier. Generate another.")
      const row = copyIn(token)
      tokens.set(key, row)
      return copyOut(row)
    },
    useVerificationToken: async ({ identifier, token }) => {
      const key = pair(identifier, token)
      const row = tokens.get(key)
      // There is no `await` between reading and deleting, so parallel calls can't both read the token.
      tokens.delete(key)
      return row ? copyOut(row) : null
    },
    getVerificationToken: async ({ identifier, token }) => {
      const row = tokens.get(pair(identifier, token))
      return row ? copyOut(row) : null
    },
    deleteVerificationTokens: async (identifier) => {
      const rows = Array.from(tokens.values()).filter((row) => row.identifier === identifier)
      for (const row of rows) tokens.delete(pair(identifier, row.token))
    },
  }
}
