import type { AdapterAuthenticator, AuthenticatorMethods } from "@latchkey/core/adapters"
import { attributesOf, detailsOf, fieldsOf, type Item } from "./codec.js"
import {
  assertStorable,
  assertStorableCredential,
  authenticatorKey,
  authenticatorPointer,
  isStorable,
  isStorableCredential,
  shorten,
  userKey,
} from "./keys.js"
import { findOwned, type FoundOwned, insertOwned, type Owned, removeOwned } from "./owned.js"
import { type Table, without } from "./table.js"

export function authenticatorMethods(table: Table): AuthenticatorMethods {
  const update = async (credentialID: string, set: Item) => {
    const found = await findAuthenticator(table, credentialID)
    const after = found && (await table.update(found.key, { set }, { exists: true }))
    if (after === undefined) throw new Error("There is no passkey with this credentialID. Register it first.")
    return authenticatorOf(table, after)
  }
  return {
    createAuthenticator: async (passkey) => {
      await createAuthenticator(table, passkey)
      return passkey
    },
    getAuthenticator: async (credentialID) => {
      const found = await findAuthenticator(table, credentialID)
      return found === undefined ? null : authenticatorOf(table, found.item)
    },
    listAuthenticatorsByUserId: async (userId) => {
      const items = isStorable(userId) ? await table.list(userKey(userId).pk, "AUTHENTICATOR#") : []
      return items.map(({ item }) => authenticatorOf(table, item))
    },
    updateAuthenticator: (credentialID, { counter, credentialBackedUp }) =>
      update(credentialID, { counter, credentialBackedUp }),
    updateAuthenticatorCounter: (credentialID, counter) => update(credentialID, { counter }),
    deleteAuthenticator: async (credentialID) => {
      if (!isStorableCredential(credentialID)) return undefined
      const removed = await removeOwned(table, await authenticatorOwned(credentialID))
      return removed && authenticatorOf(table, removed)
    },
    describeAuthenticator: async (credentialID, details) => {
      const found = await findAuthenticator(table, credentialID)
      const changes = attributesOf(details)
      if (found !== undefined && Object.keys(changes).length > 0) {
        await table.update(found.key, { set: {}, setIn: { details: changes } }, { exists: true })
      }
    },
  }
}

async function findAuthenticator(table: Table, credentialID: string): Promise<FoundOwned | undefined> {
  return isStorableCredential(credentialID) ? findOwned(table, await authenticatorOwned(credentialID)) : undefined
}

/** `@auth/dynamodb-adapter` doesn't store passkeys, so they aren't in the index. */
async function authenticatorOwned(credentialID: string): Promise<Owned> {
  const shortId = await shorten(credentialID)
  return {
    pointer: authenticatorPointer(credentialID),
    keyFor: (userId) => authenticatorKey(userId, shortId),
    matches: (item) => item["credentialID"] === credentialID,
  }
}

async function createAuthenticator(table: Table, passkey: AdapterAuthenticator): Promise<void> {
  const { credentialID, userId } = passkey
  assertStorableCredential(credentialID)
  assertStorable(userId)
  const hasUser = async (id: string) => (await table.get(userKey(id))) !== undefined
  if (!(await hasUser(userId))) throw new Error("There is no user with this userId. Create the user first.")
  const item = { ...table.withoutKeys(attributesOf(passkey)), type: "AUTHENTICATOR" }
  const owned = await authenticatorOwned(credentialID)
  const taken = "The passkey is already registered. Look it up with getAuthenticator."
  await insertOwned(table, { owned, userId, item, taken, hasUser })
}

function authenticatorOf(table: Table, item: Item): AdapterAuthenticator {
  const fields: Item = { ...fieldsOf(without(table.withoutKeys(item), ["type"])), ...detailsOf(item) }
  // `createAuthenticator` stored the fields, and DynamoDB returns each with its type.
  return fields as unknown as AdapterAuthenticator
}
