import { type AdapterUser, UniqueViolation } from "@latchkey/core/adapters"
import { findPlace, findUser, pointerOf, requirePlace, type Store } from "./store.js"

export async function findUserByEmail(store: Store, email: unknown): Promise<AdapterUser | null> {
  const place = findPlace(store.prefixes.emailKeyPrefix, email)
  if (place === undefined) return null
  for (const { key } of place.slots) {
    const value = await store.items.read(key)
    const { row } = await findUser(store, pointerOf(value))
    if (row !== undefined && row.email === email) return row
    if (value === undefined && !place.isAmbiguous) return null
  }
  return null
}

/**
 * Points an email to a user. The user must be stored already: another process then sees that the email is theirs. A pointer
 * to a user who has another email, or who is deleted, is outdated, and is replaced.
 */
export async function claimEmail(store: Store, email: string, userId: string): Promise<void> {
  const place = requirePlace(store.prefixes.emailKeyPrefix, email)
  if ((await findUserByEmail(store, email)) !== null) throw taken()
  // As a file, `ada@example.com/x` would need a folder in the place of the file of another user.
  for (const { key } of place.isAmbiguous ? place.slots.slice(-1) : place.slots) {
    const value = await store.items.read(key)
    if (value === undefined) return created(await store.items.create(key, userId))
    const { row: owner } = await findUser(store, pointerOf(value))
    if (owner?.id === userId) return
    if (owner?.email === email) throw taken()
    if (!isTheirs(store, owner, key)) return created(await store.items.exchange(key, value, userId))
  }
  throw taken()
}

export async function releaseEmail(store: Store, email: unknown, userId: string): Promise<void> {
  const place = findPlace(store.prefixes.emailKeyPrefix, email)
  for (const { key } of place?.slots ?? []) {
    if (pointerOf(await store.items.read(key)) === userId) await store.items.remove(key)
  }
}

/** Whether the owner's own email leads to this key too. */
function isTheirs(store: Store, owner: AdapterUser | undefined, key: string): boolean {
  const place = owner && findPlace(store.prefixes.emailKeyPrefix, owner.email)
  return place !== undefined && place.slots.some((slot) => slot.key === key)
}

function created(isOurs: boolean): void {
  if (!isOurs) throw taken()
}

function taken(): UniqueViolation {
  return new UniqueViolation("The email is taken. Look up the user with getUserByEmail.")
}
