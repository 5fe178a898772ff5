import type { AdapterAuthenticator, AuthenticatorMethods } from "@latchkey/core/adapters"
import type { Document } from "mongodb"
import { assertText, fieldsOf, fromId, isText, pathsOf, toId, without } from "./documents.js"
import { ofUser } from "./filters.js"
import { insertOwned } from "./owned.js"
import type { Collections } from "./collections.js"
import type { Store } from "./store.js"
import { requireUser } from "./users.js"

const options = { returnDocument: "after", includeResultMetadata: false } as const

export function authenticatorMethods(store: Store): AuthenticatorMethods {
  const change = async (credentialID: string, fields: Document) =>
    isText(credentialID)
      ? store.read(async ({ authenticators }) =>
          authenticators.findOneAndUpdate({ credentialID }, { $set: fields }, options),
        )
      : null
  const update = async (credentialID: string, fields: Document) => {
    const updated = await change(credentialID, fields)
    if (updated === null) throw new Error("There is no passkey with this credentialID. Register it first.")
    return authenticatorOf(updated)
  }
  return {
    createAuthenticator: (passkey) => store.write(async (collections) => createAuthenticator(collections, passkey)),
    getAuthenticator: async (credentialID) =>
      isText(credentialID)
        ? store.read(async ({ authenticators }) => passkeyOrNull(await authenticators.findOne({ credentialID })))
        : null,
    listAuthenticatorsByUserId: async (userId) =>
      isText(userId)
        ? store.read(async ({ authenticators }) =>
            (await authenticators.find(ofUser(userId)).toArray()).map(authenticatorOf),
          )
        : [],
    updateAuthenticator: (credentialID, { counter, credentialBackedUp }) =>
      update(credentialID, { counter, credentialBackedUp }),
    updateAuthenticatorCounter: (credentialID, counter) => update(credentialID, { counter }),
    deleteAuthenticator: async (credentialID) =>
      isText(credentialID)
        ? store.read(async ({ authenticators }) =>
            passkeyOrNull(await authenticators.findOneAndDelete({ credentialID }, { includeResultMetadata: false })),
          )
        : null,
    describeAuthenticator: async (credentialID, details) => {
      const fields = pathsOf("details", fieldsOf(details))
      if (Object.keys(fields).length > 0) await change(credentialID, fields)
    },
  }
}

async function createAuthenticator(
  collections: Collections,
  passkey: AdapterAuthenticator,
): Promise<AdapterAuthenticator> {
  const { credentialID, userId } = passkey
  assertText(credentialID)
  await requireUser(collections, userId)
  await insertOwned(collections, {
    collection: collections.authenticators,
    key: { credentialID },
    document: { ...without(fieldsOf(passkey), "_id"), userId: toId(userId) },
    taken: "The passkey is already registered. Look it up with getAuthenticator.",
  })
  return passkey
}

function authenticatorOf(document: Document): AdapterAuthenticator {
  const passkey = { ...without(document, "_id"), userId: fromId(document["userId"]) }
  // `createAuthenticator` stored the fields, and BSON keeps their types.
  return passkey as unknown as AdapterAuthenticator
}

function passkeyOrNull(document: Document | null): AdapterAuthenticator | null {
  return document === null ? null : authenticatorOf(document)
}
