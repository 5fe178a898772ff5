import type { Adapter } from "@latchkey/core/adapters"
import { UniqueViolation } from "../unique-violation.js"
import { copyIn, copyOut } from "./copy.js"
import type { Tables } from "./tables.js"
import { assertUser, copyOrNull, rowsOfUser } from "./users.js"

type AuthenticatorMethods = Required<
  Pick<
    Adapter,
    "createAuthenticator" | "getAuthenticator" | "listAuthenticatorsByUserId" | "updateAuthenticatorCounter"
  >
>

export function authenticatorMethods({ authenticators, users }: Tables): AuthenticatorMethods {
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
    updateAuthenticatorCounter: async (credentialID, counter) => {
      const before = authenticators.get(credentialID)
      if (!before) throw new Error("There is no passkey with this credentialID. Register it first.")
      const after = { ...before, counter }
      authenticators.set(credentialID, after)
      return copyOut(after)
    },
  }
}
