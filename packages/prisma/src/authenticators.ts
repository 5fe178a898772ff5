import type { Adapter } from "@latchkey/core/adapters"
import { changeText } from "./change-text.js"
import { type Delegate, type Fields, hasText } from "./client.js"
import { authenticatorOf, split } from "./rows.js"
import type { Store } from "./store.js"
import { mergeDetails } from "./values.js"

type AuthenticatorMethods = Required<
  Pick<
    Adapter,
    | "createAuthenticator"
    | "getAuthenticator"
    | "listAuthenticatorsByUserId"
    | "updateAuthenticator"
    | "updateAuthenticatorCounter"
    | "deleteAuthenticator"
  >
> &
  Pick<Adapter, "describeAuthenticator">

export function authenticatorMethods(store: Store, authenticators: Delegate): AuthenticatorMethods {
  const update = async (credentialID: string, changes: Fields) => {
    const row = await store.update(authenticators, { credentialID }, changes)
    if (row === undefined) throw new Error("There is no passkey with this credentialID. Register it first.")
    return authenticatorOf(row)
  }
  return {
    createAuthenticator: async ({ details: _details, ...given }) =>
      authenticatorOf(await store.insert(authenticators, split(authenticators, given).fields)),
    getAuthenticator: async (credentialID) => {
      const [row] = await store.find(authenticators, { credentialID })
      return row ? authenticatorOf(row) : null
    },
    listAuthenticatorsByUserId: async (userId) => (await store.find(authenticators, { userId })).map(authenticatorOf),
    updateAuthenticator: async (credentialID, { counter, credentialBackedUp }) =>
      update(credentialID, { counter, credentialBackedUp }),
    updateAuthenticatorCounter: async (credentialID, counter) => update(credentialID, { counter }),
    deleteAuthenticator: async (credentialID) => {
      const row = await store.take(authenticators, { credentialID })
      return row ? authenticatorOf(row) : null
    },
    ...(hasText(authenticators, "details") && {
      describeAuthenticator: async (credentialID, details) =>
        changeText(store, authenticators, { credentialID }, "details", (before) => mergeDetails(before, details)),
    }),
  }
}
