import type { Collection, MongoClient } from "mongodb"
import type { MongoDBAdapterOptions } from "./options.js"

export interface Collections {
  readonly users: Collection
  readonly accounts: Collection
  readonly sessions: Collection
  readonly tokens: Collection
  readonly authenticators: Collection
  readonly records: Collection
}

export function collectionsOf(client: MongoClient, options: MongoDBAdapterOptions): Collections {
  const { databaseName, collections = {} } = options
  const database = client.db(databaseName)
  return {
    users: database.collection(collections.Users ?? "users"),
    accounts: database.collection(collections.Accounts ?? "accounts"),
    sessions: database.collection(collections.Sessions ?? "sessions"),
    tokens: database.collection(collections.VerificationTokens ?? "verification_tokens"),
    authenticators: database.collection(collections.Authenticators ?? "authenticators"),
    records: database.collection(collections.Records ?? "latchkey_records"),
  }
}
