import { UniqueViolation } from "@latchkey/core/adapters"
import type { Item } from "./codec.js"
import type { Key } from "./keys.js"
import { claim, ownerOf, pointIfNone, release } from "./pointers.js"
import type { Table } from "./table.js"

/** A row of a user that has a key of its own: an account, session or passkey. */
export interface Owned {
  readonly pointer: Key
  /** Its key in `@auth/dynamodb-adapter`'s index. */
  readonly indexKey?: Key
  keyFor(userId: string): Key
  /** Whether an item is this row. */
  matches(item: Item): boolean
}

export interface FoundOwned {
  readonly key: Key
  readonly userId: string
  readonly item: Item
}

/** Follows the pointer. Rows that `@auth/dynamodb-adapter` wrote have none, and are in the index. */
export async function findOwned(table: Table, owned: Owned): Promise<FoundOwned | undefined> {
  const userId = await ownerOf(table, owned.pointer)
  const found = userId === undefined ? undefined : await readOwned(table, owned, owned.keyFor(userId))
  return found ?? findInIndex(table, owned)
}

export async function findInIndex(table: Table, owned: Owned): Promise<FoundOwned | undefined> {
  if (owned.indexKey === undefined) return undefined
  for (const key of await table.lookUp(owned.indexKey)) {
    const found = await readOwned(table, owned, key)
    if (found !== undefined) return found
  }
  return undefined
}

export async function readOwned(table: Table, owned: Owned, key: Key): Promise<FoundOwned | undefined> {
  const item = await table.get(key)
  return item !== undefined && owned.matches(item) ? { key, userId: String(item["userId"]), item } : undefined
}

export interface Insertion {
  readonly owned: Owned
  readonly userId: string
  readonly item: Item
  /** Attributes of the pointer. */
  readonly attributes?: Item
  readonly taken: string
  /** Whether the user to whom another row belongs still exists. */
  hasUser(userId: string): Promise<boolean>
}

/**
 * Stores a row that only one user can have. It enters the index last, so that `@auth/dynamodb-adapter` never sees a row that loses
 * against another one.
 */
export async function insertOwned(table: Table, insertion: Insertion): Promise<void> {
  const { owned, userId, item, attributes = {}, taken, hasUser } = insertion
  const key = owned.keyFor(userId)
  const isLive = async (owner: string) => (await table.get(owned.keyFor(owner))) !== undefined && (await hasUser(owner))
  const isFirst = await table.put(key, item, { exists: false })
  const pointed = { pointer: owned.pointer, userId, attributes }
  // If the row exists, an earlier request may have lost its connection before it stored the pointer.
  const isOurs = isFirst ? await claim(table, { ...pointed, isLive }) : await pointIfNone(table, pointed)
  if (isOurs && owned.indexKey !== undefined) {
    await table.update(key, { set: table.indexed(owned.indexKey) }, { exists: true })
  }
  if (isFirst && !isOurs) await table.remove(key)
  if (!isFirst || !isOurs) throw new UniqueViolation(taken)
}

/** Deletes the row first: a pointer without a row leads nowhere. */
export async function removeOwned(table: Table, owned: Owned): Promise<Item | undefined> {
  const found = await findOwned(table, owned)
  const removed = found && (await table.remove(found.key))
  if (found !== undefined) await release(table, owned.pointer, found.userId)
  return removed
}
