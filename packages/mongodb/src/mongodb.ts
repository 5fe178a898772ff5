import { anything, assertOptions, type EveryOption } from "@latchkey/core/options"
import type { Adapter, RecordStore } from "@latchkey/core/adapters"
import { accountMethods } from "./accounts.js"
import { authenticatorMethods } from "./authenticators.js"
import { checkIndexes, createIndexes, type Finding, planIndexes } from "./indexes.js"
import type { MongoDBAdapterOptions, MongoSource } from "./options.js"
import { recordStore } from "./records.js"
import { sessionMethods } from "./sessions.js"
import { createStore, type Store } from "./store.js"
import { tokenMethods } from "./tokens.js"
import { userMethods } from "./users.js"

/** An adapter over MongoDB. It has all methods except for `transaction` and `rateLimits`. */
export interface LatchkeyMongoDBAdapter extends Required<Omit<Adapter, "transaction" | "rateLimits" | "records">> {
  /** Where modules keep their data. The default for `records` of the configuration. */
  readonly records: RecordStore
  /** The indexes that `migrate()` would create, as commands of `mongosh`. Empty if there are none to create. */
  plan(): Promise<readonly string[]>
  /** Creates the indexes that don't exist. Rejects if documents are duplicates: remove them first. */
  migrate(): Promise<void>
  /** What is wrong with the indexes, and how to fix it. */
  check(): Promise<readonly Finding[]>
  /**
   * Deletes sessions, verification tokens and records that expired before `before` (default: now). The indexes on the expiry let MongoDB do
   * this itself, so you only need it without them.
   *
   * @returns the numbers of deleted documents
   */
  sweep(options?: { readonly before?: Date }): Promise<{
    readonly sessions: number
    readonly verificationTokens: number
    readonly rateLimits: number
    readonly records: number
  }>
}

const optionNames: EveryOption<MongoDBAdapterOptions> = {
  collections: {
    Users: anything,
    Accounts: anything,
    Sessions: anything,
    VerificationTokens: anything,
    Authenticators: anything,
    Records: anything,
  } satisfies EveryOption<NonNullable<MongoDBAdapterOptions["collections"]>>,
  databaseName: anything,
  onClose: anything,
  autoMigrate: anything,
}

/**
 * Creates an adapter for MongoDB. It uses the collections of `@auth/mongodb-adapter`, reads what that adapter wrote, and writes what
 * it can read. Unique indexes make emails and accounts unique; they are created before the first write that needs them. Close the
 * client yourself.
 *
 * @throws TypeError if `client` is none of what {@link MongoSource} names, or if there is no such option
 * @example
 * ```ts
 * import { mongodb } from "@latchkey/mongodb"
 * import { MongoClient } from "mongodb"
 *
 * const adapter = mongodb(new MongoClient("mongodb://localhost:27017/app"))
 * ```
 */
export function mongodb(client: MongoSource, options: MongoDBAdapterOptions = {}): LatchkeyMongoDBAdapter {
  assertOptions("mongodb", options, optionNames)
  // As in the other adapters: the parts have the same names, but each store finds and writes its rows in its own way.
  const store = createStore(client, options)
  return {
    ...userMethods(store),
    ...accountMethods(store),
    ...sessionMethods(store),
    ...tokenMethods(store),
    ...authenticatorMethods(store),
    records: recordStore(store),
    plan: () => store.read(planIndexes),
    migrate: () => store.read(createIndexes),
    check: () => store.read(checkIndexes),
    sweep: async ({ before = new Date() } = {}) => sweep(store, before),
  }
}

/** {@link mongodb} with the name that it has in `@auth/mongodb-adapter`. */
export function MongoDBAdapter(client: MongoSource, options: MongoDBAdapterOptions = {}): LatchkeyMongoDBAdapter {
  return mongodb(client, options)
}

async function sweep(store: Store, before: Date) {
  const expired = { expires: { $lt: before } }
  return store.read(async ({ sessions, tokens, records }) => ({
    sessions: (await sessions.deleteMany(expired)).deletedCount,
    verificationTokens: (await tokens.deleteMany(expired)).deletedCount,
    rateLimits: 0,
    records: (await records.deleteMany({ expiresAt: { $lt: before } })).deletedCount,
  }))
}
