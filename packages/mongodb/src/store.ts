import type { MongoClient } from "mongodb"
import { type Collections, collectionsOf } from "./collections.js"
import { createIndexes, isPermanent } from "./indexes.js"
import type { MongoDBAdapterOptions, MongoSource } from "./options.js"

export interface Store {
  /** Calls `work` with the collections of a client. */
  read<T>(work: (collections: Collections) => Promise<T>): Promise<T>
  /** The same, after the indexes exist. */
  write<T>(work: (collections: Collections, client: MongoClient) => Promise<T>): Promise<T>
}

export function createStore(source: MongoSource, options: MongoDBAdapterOptions): Store {
  const { autoMigrate = true, onClose } = options
  assertSource(source)
  // Each operation rejects with the error of the promise. Without this, it would end the process before the first operation.
  if (source instanceof Promise) source.catch(() => undefined)
  const connect = connector()
  const ensureIndexes = once(async (collections) => createIndexes(collections).catch(warn))

  async function read<T>(work: (collections: Collections, client: MongoClient) => Promise<T>): Promise<T> {
    const client = await (typeof source === "function" ? source() : source)
    assertClient(client)
    try {
      await connect(client)
      return await work(collectionsOf(client, options), client)
    } finally {
      await onClose?.(client)
    }
  }

  return {
    read,
    write: (work) =>
      read(async (collections, client) => {
        if (autoMigrate) await ensureIndexes(collections)
        return work(collections, client)
      }),
  }
}

/** What a promise or a function leads to is only known when it's used. */
function assertSource(source: unknown): void {
  if (typeof source !== "function" && !has(source, "then")) assertClient(source)
}

function assertClient(client: unknown): void {
  if (has(client, "db") && has(client, "connect")) return
  throw new TypeError(
    "This isn't a client of `mongodb`. Pass a MongoClient, a promise of one, or a function that returns either, and the name of the database as `databaseName`.",
  )
}

function has(value: unknown, method: string): boolean {
  return typeof Reflect.get(Object(value), method) === "function"
}

/**
 * Connects a client once. The driver would do so too, but if MongoDB is down then, its client never works again. A client that was
 * connected finds the server again by itself, and one that the application closed stays closed.
 */
function connector(): (client: MongoClient) => Promise<void> {
  const connected = new WeakSet<MongoClient>()
  return async (client) => {
    if (connected.has(client)) return
    await client.connect()
    connected.add(client)
  }
}

/** A database that `@auth/mongodb-adapter` filled can have duplicates. Its users must still be able to sign in. */
function warn(error: unknown): void {
  if (!isPermanent(error)) throw error
  console.warn(
    "[latchkey] Could not create the indexes in MongoDB, so two users can have the same email. Call `check()` of the adapter to see what to do.",
  )
}

/** Runs `work` until it succeeds once. */
function once(work: (collections: Collections) => Promise<void>): (collections: Collections) => Promise<void> {
  let running: Promise<void> | undefined
  return (collections) => {
    running ??= work(collections).catch((error: unknown) => {
      running = undefined
      throw error
    })
    return running
  }
}
