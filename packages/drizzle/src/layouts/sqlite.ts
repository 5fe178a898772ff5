import { newId } from "@latchkey/core/adapters"
import { type AnySQLiteColumn, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

// The layout of `@auth/drizzle-adapter` for SQLite.
// Columns and tables have other types in each database, so the schemas of the three repeat what they have in common.

export function userColumns() {
  return {
    id: text("id").primaryKey().$defaultFn(newId),
    name: text("name"),
    email: text("email").unique(),
    emailVerified: integer("emailVerified", { mode: "timestamp_ms" }),
    image: text("image"),
  }
}

export function accountColumns(userId: () => AnySQLiteColumn) {
  return {
    userId: text("userId").notNull().references(userId, { onDelete: "cascade" }),
    type: text("type").notNull(),
    provider: text("provider").notNull(),
    providerAccountId: text("providerAccountId").notNull(),
    refresh_token: text("refresh_token"),
    access_token: text("access_token"),
    expires_at: integer("expires_at"),
    token_type: text("token_type"),
    scope: text("scope"),
    id_token: text("id_token"),
    session_state: text("session_state"),
  }
}

export function sessionColumns(userId: () => AnySQLiteColumn) {
  return {
    sessionToken: text("sessionToken").primaryKey(),
    userId: text("userId").notNull().references(userId, { onDelete: "cascade" }),
    expires: integer("expires", { mode: "timestamp_ms" }).notNull(),
  }
}

export function verificationTokenColumns() {
  return {
    identifier: text("identifier").notNull(),
    token: text("token").notNull(),
    expires: integer("expires", { mode: "timestamp_ms" }).notNull(),
  }
}

export function authenticatorColumns(userId: () => AnySQLiteColumn) {
  return {
    credentialID: text("credentialID").notNull().unique(),
    userId: text("userId").notNull().references(userId, { onDelete: "cascade" }),
    providerAccountId: text("providerAccountId").notNull(),
    credentialPublicKey: text("credentialPublicKey").notNull(),
    counter: integer("counter").notNull(),
    credentialDeviceType: text("credentialDeviceType").notNull(),
    credentialBackedUp: integer("credentialBackedUp", { mode: "boolean" }).notNull(),
    transports: text("transports"),
  }
}

/** For queries only, so they have no keys. */
export function defaultTables() {
  const users = sqliteTable("user", userColumns())
  const userId = () => users.id
  return {
    users,
    accounts: sqliteTable("account", accountColumns(userId)),
    sessions: sqliteTable("session", sessionColumns(userId)),
    verificationTokens: sqliteTable("verificationToken", verificationTokenColumns()),
    authenticators: sqliteTable("authenticator", authenticatorColumns(userId)),
  }
}
