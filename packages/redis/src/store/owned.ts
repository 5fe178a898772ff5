import { textField } from "./codec.js"
import { endOfTime } from "./indexes.js"
import type { Stored } from "./records.js"
import type { Store } from "./store.js"
import { readUser } from "./user-records.js"

/** A record of a user that doesn't expire: an account or a passkey. */
export interface Owned {
  /** The key of the record, which is also its member in the index. */
  readonly key: string
  readonly index: "accounts" | "authenticators"
  /** Whether a record at the key is the one that's meant. Two ids can have the same key. */
  isMeant(stored: Stored): boolean
}

/** A record whose user was deleted doesn't exist, even if the deletion was interrupted before it was removed. */
export async function readOwned(store: Store, { key, isMeant }: Owned): Promise<Stored | null> {
  const stored = await store.records.read(key)
  if (stored === null || !isMeant(stored)) return null
  return (await readUser(store, textField(stored, "userId"))) === null ? null : stored
}

/** @returns `false` if a record of an existing user has the key */
export async function insertOwned(store: Store, owned: Owned, userId: string, text: string): Promise<boolean> {
  const { records } = store
  await listOwned(store, owned, userId)
  while (!(await records.insert(owned.key, text, "forever"))) {
    const former = await records.readText(owned.key)
    const stored = await records.read(owned.key)
    if (stored !== null && (await readUser(store, textField(stored, "userId"))) !== null) {
      if (textField(stored, "userId") !== userId)
        await store.indexes.drop(store.layout.index(owned.index, userId), [owned.key])
      return false
    }
    // Left over from a deletion that was interrupted.
    if (former !== null && (await records.replace(owned.key, { from: former, to: text, lifetime: "forever" }))) break
  }
  // A parallel removal may have taken it from the index.
  await listOwned(store, owned, userId)
  return true
}

/** Repeats a change until no other process changed the record in between. */
export async function changeOwned(
  store: Store,
  owned: Owned,
  change: (stored: Stored) => Readonly<Record<string, unknown>>,
): Promise<Stored | null> {
  for (;;) {
    const stored = await readOwned(store, owned)
    if (stored === null) return null
    const fields = change(stored)
    const to = JSON.stringify(fields)
    const replacement = { from: stored.text, to, lifetime: "unchanged" } as const
    if (await store.records.replace(owned.key, replacement)) return { text: to, fields }
  }
}

export async function removeOwned(store: Store, owned: Owned): Promise<Stored | null> {
  for (;;) {
    const stored = await store.records.read(owned.key)
    if (stored === null || !owned.isMeant(stored)) return null
    if (!(await store.records.remove(owned.key, stored.text))) continue
    const userId = textField(stored, "userId")
    await store.indexes.drop(store.layout.index(owned.index, userId), [owned.key])
    // Another process may have stored it again before it was taken from the index.
    const again = await store.records.read(owned.key)
    if (again !== null && textField(again, "userId") === userId) await listOwned(store, owned, userId)
    return stored
  }
}

/** @param more keys that may be in no index */
export async function allOwned(
  store: Store,
  index: Owned["index"],
  userId: string,
  more: readonly string[] = [],
): Promise<readonly Stored[]> {
  const listed = await store.indexes.list(store.layout.index(index, userId))
  return (await ownedAt(store, userId, [...listed, ...more])).map(({ stored }) => stored)
}

/** Removes everything of a user who was deleted. */
export async function removeAllOwned(
  store: Store,
  index: Owned["index"],
  userId: string,
  more: readonly string[] = [],
): Promise<void> {
  const key = store.layout.index(index, userId)
  const listed = await store.indexes.list(key)
  const found = await ownedAt(store, userId, [...listed, ...more])
  await Promise.all(found.map(async ({ key, stored }) => store.records.remove(key, stored.text)))
  await store.indexes.drop(key, listed)
}

interface OwnedAt {
  readonly key: string
  readonly stored: Stored
}

async function ownedAt({ records }: Store, userId: string, keys: readonly string[]): Promise<readonly OwnedAt[]> {
  const read = async (key: string): Promise<readonly OwnedAt[]> => {
    const stored = await records.read(key)
    return stored !== null && textField(stored, "userId") === userId ? [{ key, stored }] : []
  }
  return (await Promise.all([...new Set(keys)].map(read))).flat()
}

export function listOwned(store: Store, { index, key }: Pick<Owned, "index" | "key">, userId: string): Promise<void> {
  return store.indexes.add(store.layout.index(index, userId), key, endOfTime)
}
