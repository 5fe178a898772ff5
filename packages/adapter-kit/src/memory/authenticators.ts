import type { Adapter, AdapterAuthenticator } from "@latchkey/core/adapters"
import { UniqueViolation } from "../unique-violation.js"
import { copyIn, copyOut } from "./copy.js"
import type { Tables } from "./tables.js"
import { assertUser, copyOrNull, rowsOfUser } from "./users.js"

type AuthenticatorMethods = Required<
  Pick<
    Adapter,
    | "createAuthenticator"
    | "getAuthenticator"
    | "listAuthenticatorsByUserId"
    | "updateAuthenticator"
    | "deleteAuthenticator"
    | "describeAuthenticator"
    | "updateAuthenticatorCounter"
  >
>

export function authenticatorMethods({ authenticators, users }: Tables): AuthenticatorMethods {
  const update = (credentialID: string, changes: Partial<AdapterAuthenticator>): AdapterAuthenticator => {
    const before = authenticators.get(credentialID)
    if (!before) throw new Error("There is no passkey with this credentialID. Register it first.")
    const after = { ...before, ...changes }
    authenticators.set(credentialID, after)
    return copyOut(after)
  }
  return {
    createAuthenticator: async (authenticator) => {
      if (authenticators.get(authenticator.credentialID)) {
        throw new UniqueViolation("The passkey is already registered. Look it up with getAuthenticator.")
      }
      assertUser(users, authenticator.userId)
      const row = copyIn(authenticator)
      authenticators.set(row.credentialID, row)
      return copyOut(row)
    },
    getAuthenticator: async (credentialID) => copyOrNull(authenticators.get(credentialID)),
    listAuthenticatorsByUserId: async (userId) => rowsOfUser(authenticators, userId).map(copyOut),
    updateAuthenticator: async (credentialID, { counter, credentialBackedUp }) =>
      update(credentialID, { counter, credentialBackedUp }),
    updateAuthenticatorCounter: async (credentialID, counter) => update(credentialID, { counter }),
    deleteAuthenticator: async (credentialID) => {
      const row = authenticators.get(credentialID)
      authenticators.delete(credentialID)
      return row && copyOut(row)
    },
    describeAuthenticator: async (credentialID, details) => {
      const before = authenticators.get(credentialID)
      if (!before) return
      authenticators.set(credentialID, { ...before, details: { ...before.details, ...copyIn(details) } })
    },
  }
}
