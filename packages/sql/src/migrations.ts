import { type Kysely, type RawBuilder, sql } from "kysely"
import type { Schema } from "./schema.js"

/** Column types of a database. Keys are compared byte by byte, so that no collation treats two keys as equal. */
export interface ColumnTypes {
  readonly key: RawBuilder<unknown>
  readonly instant: RawBuilder<unknown>
  readonly boolean: RawBuilder<unknown>
  readonly json: RawBuilder<unknown>
}

export interface Target {
  readonly db: Kysely<Schema>
  readonly types: ColumnTypes
  /** Adds the prefix to the name of an index or constraint. */
  prefixed(name: string): string
}

export const sqliteTypes: ColumnTypes = {
  key: sql`text collate binary`,
  instant: sql`integer`,
  boolean: sql`integer`,
  json: sql`text`,
}

export const postgresTypes: ColumnTypes = {
  key: sql`text collate "C"`,
  instant: sql`timestamptz(3)`,
  boolean: sql`boolean`,
  json: sql`jsonb`,
}

export interface Migration {
  readonly name: string
  up(target: Target): Promise<void>
}

/** In this order. Never change a published migration; add another one. */
export const migrations: readonly Migration[] = [
  {
    name: "0001_users",
    up: async ({ db: { schema }, types: { key, instant, json }, prefixed }) => {
      await schema
        .createTable("users")
        .addColumn("id", key, (column) => column.primaryKey().notNull())
        .addColumn("email", key, (column) => column.unique())
        .addColumn("email_verified", instant)
        .addColumn("name", "text")
        .addColumn("image", "text")
        .addColumn("extra", json, (column) => column.notNull())
        .execute()
      await schema
        .createTable("accounts")
        .addColumn("provider", key, (column) => column.notNull())
        .addColumn("provider_account_id", key, (column) => column.notNull())
        .addColumn("user_id", key, (column) => column.notNull().references("users.id").onDelete("cascade"))
        .addColumn("type", "text", (column) => column.notNull())
        .addColumn("extra", json, (column) => column.notNull())
        .addPrimaryKeyConstraint(prefixed("accounts_key"), ["provider", "provider_account_id"])
        .execute()
      await schema.createIndex(prefixed("accounts_user_id")).on("accounts").column("user_id").execute()
    },
  },
  {
    name: "0002_sessions",
    up: async ({ db: { schema }, types: { key, instant, json }, prefixed }) => {
      await schema
        .createTable("sessions")
        .addColumn("session_token", key, (column) => column.primaryKey().notNull())
        .addColumn("user_id", key, (column) => column.notNull().references("users.id").onDelete("cascade"))
        .addColumn("expires", instant, (column) => column.notNull())
        .addColumn("extra", json, (column) => column.notNull())
        .execute()
      await schema.createIndex(prefixed("sessions_user_id")).on("sessions").column("user_id").execute()
      await schema.createIndex(prefixed("sessions_expires")).on("sessions").column("expires").execute()
      await schema
        .createTable("verification_tokens")
        .addColumn("identifier", key, (column) => column.notNull())
        .addColumn("token", key, (column) => column.notNull())
        .addColumn("expires", instant, (column) => column.notNull())
        .addPrimaryKeyConstraint(prefixed("verification_tokens_key"), ["identifier", "token"])
        .execute()
      await schema
        .createIndex(prefixed("verification_tokens_expires"))
        .on("verification_tokens")
        .column("expires")
        .execute()
    },
  },
  {
    name: "0003_authenticators",
    up: async ({ db: { schema }, types: { key, boolean }, prefixed }) => {
      await schema
        .createTable("authenticators")
        .addColumn("credential_id", key, (column) => column.primaryKey().notNull())
        .addColumn("user_id", key, (column) => column.notNull().references("users.id").onDelete("cascade"))
        .addColumn("provider_account_id", "text", (column) => column.notNull())
        .addColumn("credential_public_key", "text", (column) => column.notNull())
        .addColumn("counter", "bigint", (column) => column.notNull())
        .addColumn("credential_device_type", "text", (column) => column.notNull())
        .addColumn("credential_backed_up", boolean, (column) => column.notNull())
        .addColumn("transports", "text")
        .execute()
      await schema.createIndex(prefixed("authenticators_user_id")).on("authenticators").column("user_id").execute()
    },
  },
  {
    name: "0004_rate_limits",
    up: async ({ db: { schema }, types: { key }, prefixed }) => {
      await schema
        .createTable("rate_limits")
        .addColumn("key", key, (column) => column.primaryKey().notNull())
        .addColumn("points", "integer", (column) => column.notNull())
        .addColumn("refused", "integer", (column) => column.notNull())
        .addColumn("resets", "bigint", (column) => column.notNull())
        .execute()
      await schema.createIndex(prefixed("rate_limits_resets")).on("rate_limits").column("resets").execute()
    },
  },
  {
    name: "0005_details",
    up: async ({ db: { schema }, types: { json } }) => {
      await schema.alterTable("sessions").addColumn("details", json).execute()
      await schema.alterTable("authenticators").addColumn("details", json).execute()
    },
  },
]
