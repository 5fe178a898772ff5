import type { MongoClient } from "mongodb"

/** A client, a promise of one, or a function that returns either. */
export type MongoSource = MongoClient | Promise<MongoClient> | (() => MongoClient | Promise<MongoClient>)

/** Options of {@link mongodb}. All but the last one, and the last two collections, are those of `@auth/mongodb-adapter`. */
export interface MongoDBAdapterOptions {
  /** Names of the collections. @default "users", "accounts", "sessions", "verification_tokens", "authenticators", "latchkey_records" */
  collections?: {
    Users?: string
    Accounts?: string
    Sessions?: string
    VerificationTokens?: string
    /** Passkeys, which `@auth/mongodb-adapter` doesn't store. */
    Authenticators?: string
    /** What modules keep. */
    Records?: string
  }
  /** @default the database of the connection string, or "test" */
  databaseName?: string
  /** Called after each operation, such as to release a client that a function returned. */
  onClose?: (client: MongoClient) => Promise<void>
  /**
   * Creates the missing indexes before the first write that needs them. With `false`, call `migrate()` when you deploy: without
   * unique indexes, two users can have the same email.
   *
   * @default true
   */
  autoMigrate?: boolean
}
