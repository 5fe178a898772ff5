import type { Adapter, VerificationToken } from "@latchkey/core/adapters"
import { toDate } from "./codec.js"
import { verificationTokenColumns, type VerificationTokenRow } from "./schema.js"
import type { Store } from "./store.js"

type TokenMethods = Required<
  Pick<Adapter, "createVerificationToken" | "useVerificationToken" | "deleteVerificationTokens">
>

export function tokenMethods(store: Store): TokenMethods {
  const { db, codec } = store
  return {
    createVerificationToken: async ({ identifier, token, expires }) => {
      const row = { identifier, token, expires: codec.instant(expires) }
      await store.write(db.insertInto("verification_tokens").values(row))
      return { identifier, token, expires }
    },
    useVerificationToken: async ({ identifier, token }) => {
      // A single statement, so that only one of several parallel calls deletes and returns the row.
      const query = db
        .deleteFrom("verification_tokens")
        .where("identifier", "=", identifier)
        .where("token", "=", token)
        .returning(verificationTokenColumns)
      const [row] = await store.read(query)
      return row ? tokenOf(row) : null
    },
    deleteVerificationTokens: async (identifier) => {
      await store.read(db.deleteFrom("verification_tokens").where("identifier", "=", identifier))
    },
  }
}

function tokenOf({ identifier, token, expires }: VerificationTokenRow): VerificationToken {
  return { identifier, token, expires: toDate(expires) }
}
