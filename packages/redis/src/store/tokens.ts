import { type TokenMethods, UniqueViolation, type VerificationToken } from "@latchkey/core/adapters"
import { dateField, textField } from "./codec.js"
import { endOf, lifetimeUntil } from "./expiry.js"
import type { Stored } from "./records.js"
import type { Store } from "./store.js"

export function tokenMethods(store: Store): TokenMethods {
  const { records, indexes, layout } = store
  return {
    createVerificationToken: async ({ identifier, token, expires }) => {
      const end = endOf(expires)
      // The index comes first, so that a token that can be used can also be deleted.
      await indexes.add(layout.index("tokens", identifier), token, end)
      const text = JSON.stringify({ identifier, token, expires })
      if (!(await records.insert(layout.token(identifier, token), text, lifetimeUntil(end)))) {
        throw new UniqueViolation("The token already exists for this identifier. Generate another.")
      }
      return { identifier, token, expires }
    },
    useVerificationToken: async ({ identifier, token }) => {
      const stored = await readToken(store, identifier, token)
      // Of several parallel calls, only one removes the record.
      if (stored === null || !(await records.remove(layout.token(identifier, token), stored.text))) return null
      return tokenOf(stored)
    },
    getVerificationToken: async ({ identifier, token }) => {
      const stored = await readToken(store, identifier, token)
      return stored === null ? null : tokenOf(stored)
    },
    deleteVerificationTokens: async (identifier) => {
      const listed = await indexes.list(layout.index("tokens", identifier))
      const remove = async (token: string): Promise<void> => {
        const stored = await readToken(store, identifier, token)
        if (stored !== null) await records.remove(layout.token(identifier, token), stored.text)
      }
      // Members stay in the index until they expire: one of them may be about to be stored.
      await Promise.all(listed.map(remove))
    },
  }
}

/** `null` for another record at the same key: `a:b` with the token `c` has the key of `a` with the token `b:c`. */
async function readToken({ records, layout }: Store, identifier: string, token: string): Promise<Stored | null> {
  const stored = await records.read(layout.token(identifier, token))
  return stored?.fields["identifier"] === identifier && stored.fields["token"] === token ? stored : null
}

function tokenOf(stored: Stored): VerificationToken {
  return {
    identifier: textField(stored, "identifier"),
    token: textField(stored, "token"),
    expires: dateField(stored, "expires"),
  }
}
