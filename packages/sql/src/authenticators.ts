import type { AdapterAuthenticator, AuthenticatorMethods } from "@latchkey/core/adapters"
import { requireColumn } from "./rows.js"
import type { Store } from "./store.js"

export function authenticatorMethods(store: Store): AuthenticatorMethods {
  const authenticators = async () => (await store.tables()).authenticators
  const update = async (credentialID: string, changes: Partial<AdapterAuthenticator>) => {
    const changed = await (await authenticators()).update({ credentialID }, changes)
    if (!changed) throw new Error("There is no passkey with this credentialID. Register it first.")
    return changed
  }
  return {
    createAuthenticator: async (authenticator) => {
      await requireKey(store, authenticator)
      const { details: _details, ...fields } = authenticator
      await (await authenticators()).add(fields)
      return authenticator
    },
    getAuthenticator: async (credentialID) => (await (await authenticators()).find({ credentialID }))[0] ?? null,
    listAuthenticatorsByUserId: async (userId) => (await authenticators()).find({ userId }),
    updateAuthenticator: async (credentialID, { counter, credentialBackedUp }) =>
      update(credentialID, { counter, credentialBackedUp }),
    updateAuthenticatorCounter: async (credentialID, counter) => update(credentialID, { counter }),
    deleteAuthenticator: async (credentialID) => (await (await authenticators()).remove({ credentialID }))[0],
    describeAuthenticator: async (credentialID, details) => {
      const table = await authenticators()
      if (table.map.columns.some(({ field }) => field === "details")) await table.update({ credentialID }, { details })
    },
  }
}

/** A passkey can't sign in without its account, so it isn't stored if the table of accounts can't have its id. */
async function requireKey(store: Store, { providerAccountId }: AdapterAuthenticator): Promise<void> {
  const { columns } = (await store.tables()).layout.tables.accounts
  if (requireColumn(columns, "providerAccountId").storage.holds(providerAccountId)) return
  throw new TypeError(
    "The table of accounts can't store the id of the passkey, because it's too long for it. Use another authenticator.",
  )
}
