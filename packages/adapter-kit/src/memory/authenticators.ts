import type { Adapter } from "@latchkey/core/adapters"
import { UniqueViolation } from "../unique-violation.js"
import { copyIn, copyOut } from "./copy.js"
import type { Tables } from "./tables.js"
import { demandUser, found, owned } from "./users.js"

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
        throw new UniqueViolation("The passkey is registered already: look up who has it")
      }
      demandUser(users, authenticator.userId)
      const row = copyIn(authenticator)
      authenticators.set(row.credentialID, row)
      return copyOut(row)
    },
    getAuthenticator: async (credentialID) => found(authenticators.get(credentialID)),
    listAuthenticatorsByUserId: async (userId) => owned(authenticators, userId).map(copyOut),
    updateAuthenticatorCounter: async (credentialID, counter) => {
      const before = authenticators.get(credentialID)
      if (!before) throw new Error("There is no passkey with this credentialID: register it first")
      const after = { ...before, counter }
      authenticators.set(credentialID, after)
      return copyOut(after)
    },
  }
}
