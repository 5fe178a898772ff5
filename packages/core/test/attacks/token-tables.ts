import type { MemoryAdapter } from "@latchkey/adapter-kit/memory"
import type { VerificationToken } from "@latchkey/core/adapters"

/** As the published adapters for MongoDB (several rows) and for key-value stores (one row) store tokens. */
export function withoutUniqueTokens(store: MemoryAdapter, overwrites: boolean): MemoryAdapter {
  let rows: VerificationToken[] = []
  const isSame = (one: Pick<VerificationToken, "identifier" | "token">) => (other: VerificationToken) =>
    one.identifier === other.identifier && one.token === other.token
  return {
    ...store,
    createVerificationToken: async (row) => {
      if (overwrites) rows = rows.filter((other) => !isSame(row)(other))
      rows.push(row)
      return row
    },
    useVerificationToken: async (key) => {
      const index = rows.findIndex(isSame(key))
      return index < 0 ? null : (rows.splice(index, 1)[0] ?? null)
    },
  }
}
