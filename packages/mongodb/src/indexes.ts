import type { Collection, CreateIndexesOptions, Document } from "mongodb"
import type { Collections } from "./collections.js"
import { codeOf } from "./failures.js"

interface Wanted {
  readonly collection: keyof Collections
  readonly key: Readonly<Record<string, 1>>
  readonly options?: CreateIndexesOptions
}

/** Only texts are unique, because any number of users can have no email. `$gte: ""` matches all texts and nothing else. */
const withText = { email: { $gte: "" } }

const wanted: readonly Wanted[] = [
  { collection: "users", key: { email: 1 }, options: { unique: true, partialFilterExpression: withText } },
  { collection: "accounts", key: { provider: 1, providerAccountId: 1 }, options: { unique: true } },
  { collection: "accounts", key: { userId: 1 } },
  { collection: "sessions", key: { sessionToken: 1 }, options: { unique: true } },
  { collection: "sessions", key: { userId: 1 } },
  { collection: "sessions", key: { expires: 1 }, options: { expireAfterSeconds: 0 } },
  { collection: "tokens", key: { identifier: 1, token: 1 }, options: { unique: true } },
  { collection: "tokens", key: { expires: 1 }, options: { expireAfterSeconds: 0 } },
  { collection: "authenticators", key: { credentialID: 1 }, options: { unique: true } },
  { collection: "authenticators", key: { userId: 1 } },
  { collection: "records", key: { owner: 1, kind: 1, key: 1 } },
  { collection: "records", key: { index1: 1, kind: 1, key: 1 } },
  { collection: "records", key: { index2: 1, kind: 1, key: 1 } },
  // The clocks of servers differ, and that of the caller counts.
  { collection: "records", key: { expiresAt: 1 }, options: { expireAfterSeconds: 60 } },
]

/** What `check()` found. */
export interface Finding {
  readonly level: "error" | "warning"
  readonly problem: string
  readonly fix: string
}

/** The indexes that don't exist, as commands of `mongosh`. */
export async function planIndexes(collections: Collections): Promise<readonly string[]> {
  return (await missingIndexes(collections)).map((index) => commandOf(collections, index))
}

/** Creates all that can be created. @throws the first error that repeating doesn't help against */
export async function createIndexes(collections: Collections): Promise<void> {
  const errors: unknown[] = []
  for (const index of await missingIndexes(collections)) {
    try {
      await collections[index.collection].createIndex(index.key, index.options ?? {})
    } catch (error) {
      if (!isPermanent(error)) throw error
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

export async function checkIndexes(collections: Collections): Promise<readonly Finding[]> {
  return (await missingIndexes(collections)).map((index) => ({
    level: index.options?.unique ? "error" : "warning",
    problem: `The collection ${collections[index.collection].collectionName} has no ${index.options?.unique ? "unique " : ""}index on ${Object.keys(index.key).join(" and ")}.`,
    fix: `Run ${commandOf(collections, index)}. If it fails, remove duplicates first, or an index with the same key and other options.`,
  }))
}

/** Whether an index can't be created because of what's in the database, or what the user may do. Repeating doesn't help. */
export function isPermanent(error: unknown): boolean {
  // Unauthorized, IndexOptionsConflict, IndexKeySpecsConflict, CannotCreateIndex, DuplicateKey.
  return [13, 85, 86, 67, 11_000].includes(Number(codeOf(error)))
}

async function missingIndexes(collections: Collections): Promise<Wanted[]> {
  const names = [...new Set(wanted.map(({ collection }) => collection))]
  const existing = new Map(
    await Promise.all(names.map(async (name) => [name, await existingIndexes(collections[name])] as const)),
  )
  return wanted.filter((index) => !(existing.get(index.collection) ?? []).some((each) => satisfies(each, index)))
}

async function existingIndexes(collection: Collection): Promise<Document[]> {
  try {
    return await collection.listIndexes().toArray()
  } catch (error) {
    // NamespaceNotFound: nothing was ever stored in the collection.
    if (codeOf(error) === 26) return []
    throw error
  }
}

/** An index that an application created itself counts too. */
function satisfies(existing: Document, { key, options = {} }: Wanted): boolean {
  const isSameKey = JSON.stringify(existing["key"]) === JSON.stringify(key)
  const isEnough = existing["unique"] === true || options.unique !== true
  return (
    isSameKey && isEnough && (existing["expireAfterSeconds"] !== undefined || options.expireAfterSeconds === undefined)
  )
}

function commandOf(collections: Collections, { collection, key, options = {} }: Wanted): string {
  const name = JSON.stringify(collections[collection].collectionName)
  return `db.getCollection(${name}).createIndex(${JSON.stringify(key)}, ${JSON.stringify(options)})`
}
