import type { Adapter, AdapterAuthenticator } from "@latchkey/core/adapters"
import { toBoolean, toNumber } from "./codec.js"
import { detailsOf, mergeDetails } from "./details.js"
import { authenticatorColumns, type AuthenticatorRow } from "./schema.js"
import type { Store } from "./store.js"

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

export function authenticatorMethods(store: Store): AuthenticatorMethods {
  const { db } = store
  const all = db.selectFrom("authenticators").select(authenticatorColumns)
  const update = async (
    credentialID: string,
    changes: Partial<Pick<AuthenticatorRow, "counter" | "credential_backed_up">>,
  ) => {
    const query = db
      .updateTable("authenticators")
      .set(changes)
      .where("credential_id", "=", credentialID)
      .returning(authenticatorColumns)
    const [row] = await store.read(query)
    if (!row) throw new Error("There is no passkey with this credentialID. Register it first.")
    return authenticatorOf(row)
  }
  return {
    createAuthenticator: async (authenticator) => {
      await store.write(db.insertInto("authenticators").values(rowOf(store, authenticator)))
      return authenticator
    },
    getAuthenticator: async (credentialID) => {
      const [row] = await store.read(all.where("credential_id", "=", credentialID))
      return row ? authenticatorOf(row) : null
    },
    listAuthenticatorsByUserId: async (userId) =>
      (await store.read(all.where("user_id", "=", userId))).map(authenticatorOf),
    updateAuthenticator: async (credentialID, { counter, credentialBackedUp }) =>
      update(credentialID, { counter, credential_backed_up: store.codec.boolean(credentialBackedUp) }),
    updateAuthenticatorCounter: async (credentialID, counter) => update(credentialID, { counter }),
    deleteAuthenticator: async (credentialID) => {
      const query = db.deleteFrom("authenticators").where("credential_id", "=", credentialID)
      const [row] = await store.write(query.returning(authenticatorColumns))
      return row && authenticatorOf(row)
    },
    describeAuthenticator: async (credentialID, details) =>
      store.transact(async ({ db: inside, codec, read, write }) => {
        const query = inside.selectFrom("authenticators").select("details").where("credential_id", "=", credentialID)
        const [row] = await read(codec.locksRows ? query.forUpdate() : query)
        const changes = { details: mergeDetails(row?.details, details) }
        await write(inside.updateTable("authenticators").set(changes).where("credential_id", "=", credentialID))
      }),
  }
}

function rowOf({ codec }: Store, authenticator: AdapterAuthenticator): AuthenticatorRow {
  return {
    credential_id: authenticator.credentialID,
    user_id: authenticator.userId,
    provider_account_id: authenticator.providerAccountId,
    credential_public_key: authenticator.credentialPublicKey,
    counter: authenticator.counter,
    credential_device_type: authenticator.credentialDeviceType,
    credential_backed_up: codec.boolean(authenticator.credentialBackedUp),
    transports: authenticator.transports ?? null,
    details: null,
  }
}

function authenticatorOf(row: AuthenticatorRow): AdapterAuthenticator {
  return {
    credentialID: row.credential_id,
    userId: row.user_id,
    providerAccountId: row.provider_account_id,
    credentialPublicKey: row.credential_public_key,
    counter: toNumber(row.counter),
    credentialDeviceType: row.credential_device_type,
    credentialBackedUp: toBoolean(row.credential_backed_up),
    transports: row.transports,
    ...detailsOf(row.details),
  }
}
