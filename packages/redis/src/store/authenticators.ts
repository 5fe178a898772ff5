import { type AdapterAuthenticator, type AuthenticatorMethods, UniqueViolation } from "@latchkey/core/adapters"
import { detailsOf, publicFields, textField, withDetails } from "./codec.js"
import { allOwned, changeOwned, insertOwned, type Owned, readOwned, removeOwned } from "./owned.js"
import type { Stored } from "./records.js"
import type { Store } from "./store.js"
import { readUser, requireUser } from "./user-records.js"

/** `@auth/upstash-redis-adapter` has no passkeys, so these keys are ours. */
export function authenticatorMethods(store: Store): AuthenticatorMethods {
  const update = async (credentialID: string, changes: Partial<AdapterAuthenticator>) => {
    const changed = await changeOwned(store, ownedBy(store, credentialID), ({ fields }) => ({ ...fields, ...changes }))
    if (changed === null) throw new Error("There is no passkey with this credentialID. Register it first.")
    return authenticatorOf(changed)
  }
  return {
    createAuthenticator: async (authenticator) => {
      const { credentialID, userId } = authenticator
      await requireUser(store, userId)
      if (!(await insertOwned(store, ownedBy(store, credentialID), userId, JSON.stringify(authenticator)))) {
        throw new UniqueViolation("The passkey is already registered. Look it up with getAuthenticator.")
      }
      return authenticator
    },
    getAuthenticator: async (credentialID) => {
      const stored = await readOwned(store, ownedBy(store, credentialID))
      return stored === null ? null : authenticatorOf(stored)
    },
    listAuthenticatorsByUserId: async (userId) => {
      if ((await readUser(store, userId)) === null) return []
      return (await allOwned(store, "authenticators", userId)).map(authenticatorOf)
    },
    updateAuthenticator: async (credentialID, { counter, credentialBackedUp }) =>
      update(credentialID, { counter, credentialBackedUp }),
    updateAuthenticatorCounter: async (credentialID, counter) => update(credentialID, { counter }),
    deleteAuthenticator: async (credentialID) => {
      const removed = await removeOwned(store, ownedBy(store, credentialID))
      return removed === null ? null : authenticatorOf(removed)
    },
    describeAuthenticator: async (credentialID, details) => {
      await changeOwned(store, ownedBy(store, credentialID), (stored) => withDetails(stored, details))
    },
  }
}

function ownedBy({ layout }: Store, credentialID: string): Owned {
  return {
    key: layout.authenticator(credentialID),
    index: "authenticators",
    isMeant: (stored) => textField(stored, "credentialID") === credentialID,
  }
}

function authenticatorOf(stored: Stored): AdapterAuthenticator {
  const authenticator = { ...publicFields(stored), ...detailsOf(stored) }
  if (isAuthenticator(authenticator)) return authenticator
  throw new Error("Redis has a passkey without a key. Check that no other application uses the same keys.")
}

function isAuthenticator(row: object): row is AdapterAuthenticator {
  return ["credentialID", "userId", "credentialPublicKey"].every((name) => typeof Reflect.get(row, name) === "string")
}
