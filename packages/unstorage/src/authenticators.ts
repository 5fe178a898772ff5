import type { AdapterAuthenticator, AuthenticatorMethods } from "@latchkey/core/adapters"
import { authenticatorOf, fieldsOf, given, mergeDetails } from "./rows.js"
import { type Found, findRow, hintKey, insert, requirePlace, requireUser, type Store } from "./store.js"

export function authenticatorMethods(store: Store): AuthenticatorMethods {
  const update = async (credentialID: string, changes: Partial<AdapterAuthenticator>) => {
    const updated = await change(store, credentialID, () => changes)
    if (updated === null) throw new Error("There is no passkey with this credentialID. Register it first.")
    return updated
  }
  return {
    createAuthenticator: (passkey) =>
      store.lock([`user ${passkey.userId}`], () =>
        store.lock([lockName(passkey.credentialID)], () => createAuthenticator(store, passkey)),
      ),
    getAuthenticator: async (credentialID) => (await findAuthenticator(store, credentialID)).row ?? null,
    listAuthenticatorsByUserId: (userId) => listAuthenticators(store, userId),
    updateAuthenticator: (credentialID, { counter, credentialBackedUp }) =>
      update(credentialID, { counter, credentialBackedUp }),
    updateAuthenticatorCounter: (credentialID, counter) => update(credentialID, { counter }),
    deleteAuthenticator: (credentialID) => deleteAuthenticator(store, credentialID),
    describeAuthenticator: (credentialID, details) =>
      change(store, credentialID, (passkey) => ({ details: mergeDetails(passkey.details, details) })),
  }
}

/** Reads all passkeys: the list of a user's ids can lack one, because parallel writes of two processes lose one. */
export async function listAuthenticators(store: Store, userId: string): Promise<AdapterAuthenticator[]> {
  const listed: AdapterAuthenticator[] = []
  for await (const { value } of store.items.scan(store.prefixes.authenticatorKeyPrefix)) {
    const { credentialID } = fieldsOf(value) ?? {}
    const passkey = typeof credentialID === "string" ? authenticatorOf(value, credentialID) : undefined
    if (passkey?.userId === userId) listed.push(passkey)
  }
  return listed
}

export function removeAuthenticator(store: Store, credentialID: string): Promise<AdapterAuthenticator | undefined> {
  return store.lock([lockName(credentialID)], async () => {
    const { key, row } = await findAuthenticator(store, credentialID)
    return key !== undefined && row !== undefined && (await store.items.remove(key)) ? row : undefined
  })
}

async function deleteAuthenticator(store: Store, credentialID: string): Promise<AdapterAuthenticator | undefined> {
  const { row } = await findAuthenticator(store, credentialID)
  if (row === undefined) return undefined
  return store.lock([`user ${row.userId}`], async () => {
    const removed = await removeAuthenticator(store, credentialID)
    if (removed) await rememberIds(store, row.userId, (ids) => ids.filter((id) => id !== credentialID))
    return removed
  })
}

async function findAuthenticator(store: Store, credentialID: string): Promise<Found<AdapterAuthenticator>> {
  const key = [store.prefixes.authenticatorKeyPrefix, credentialID] as const
  return findRow(store, key, (value) => authenticatorOf(value, credentialID))
}

async function createAuthenticator(store: Store, passkey: AdapterAuthenticator): Promise<AdapterAuthenticator> {
  const { credentialID, userId } = passkey
  requirePlace(store.prefixes.authenticatorKeyPrefix, credentialID)
  await requireUser(store, userId)
  const found = await findAuthenticator(store, credentialID)
  const taken = "The passkey is already registered. Look it up with getAuthenticator."
  await insert(store, found.row ? {} : found, given(passkey), taken)
  await rememberIds(store, userId, (ids) => [credentialID, ...ids])
  return { ...passkey }
}

/** The list from which `@auth/unstorage-adapter` reads the passkeys of a user. */
async function rememberIds(store: Store, userId: string, change: (ids: string[]) => string[]): Promise<void> {
  const key = hintKey(store.prefixes.authenticatorUserKeyPrefix, userId)
  if (key === undefined) return
  const before: unknown = await store.items.read(key)
  const ids = Array.isArray(before) ? before.map(String) : []
  await store.items.write(key, [...new Set(change(ids))])
}

/** Never writes a passkey that was deleted meanwhile. */
function change(
  store: Store,
  credentialID: string,
  changesOf: (passkey: AdapterAuthenticator) => Partial<AdapterAuthenticator> | object,
): Promise<AdapterAuthenticator | null> {
  return store.lock([lockName(credentialID)], async () => {
    const { key, row } = await findAuthenticator(store, credentialID)
    if (key === undefined || row === undefined) return null
    const after = { ...row, ...changesOf(row) }
    return (await store.items.overwrite(key, after)) ? after : null
  })
}

function lockName(credentialID: string): string {
  return `passkey ${credentialID}`
}
