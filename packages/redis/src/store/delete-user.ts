import type { AdapterUser, RecordStore } from "@latchkey/core/adapters"
import { latestAccounts } from "./accounts.js"
import { textField } from "./codec.js"
import { releaseEmail } from "./emails.js"
import { removeAllOwned } from "./owned.js"
import type { Stored } from "./records.js"
import { removeAllSessions } from "./sessions.js"
import type { Store } from "./store.js"
import { readUser, userOf } from "./user-records.js"

/**
 * Without the user, nothing that belongs to them is found. So the user is deleted first, and an interruption leaves only records that
 * have no effect. A repeated call deletes these too.
 */
export async function deleteUser(store: Store, modules: RecordStore, userId: string): Promise<AdapterUser | null> {
  const { layout } = store
  const user = await removeUser(store, userId)
  await removeAllSessions(store, userId)
  await removeAllOwned(store, "accounts", userId, await latestAccounts(store, userId))
  await removeAllOwned(store, "authenticators", userId)
  await modules.removeOwned(userId)
  for (const key of [layout.latestAccount(userId), layout.latestSession(userId)]) {
    const latest = await store.records.readText(key)
    if (latest !== null) await store.records.remove(key, latest)
  }
  if (user === null) return null
  await releaseEmail(store, textField(user, "email"), userId)
  return userOf(user)
}

async function removeUser(store: Store, userId: string): Promise<Stored | null> {
  for (;;) {
    const stored = await readUser(store, userId)
    if (stored === null) return null
    if (await store.records.remove(store.layout.user(userId), stored.text)) return stored
  }
}
