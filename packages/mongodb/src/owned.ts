import type { Collection, Document } from "mongodb"
import { fromId } from "./documents.js"
import { isDuplicate, rejectDuplicates } from "./failures.js"
import { byId } from "./filters.js"
import type { Collections } from "./collections.js"

export interface Insertion {
  readonly collection: Collection
  /** The unique key. */
  readonly key: Document
  readonly document: Document
  readonly taken: string
}

/** Stores a row of a user. A row of a user who was deleted halfway is replaced. */
export async function insertOwned(collections: Collections, insertion: Insertion): Promise<void> {
  const { collection, key, document, taken } = insertion
  try {
    await collection.insertOne({ ...document })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    await removeOrphan(collections, collection, key)
    await rejectDuplicates(taken, () => collection.insertOne({ ...document }))
  }
}

async function removeOrphan({ users }: Collections, collection: Collection, key: Document): Promise<void> {
  const existing = await collection.findOne(key)
  if (existing === null) return
  const owner = await users.findOne(byId(fromId(existing["userId"])))
  if (owner === null) await collection.deleteOne({ _id: existing["_id"], userId: existing["userId"] })
}
